# The required Debian 12 packages, in groups. Sourced by run and test.
compile_packages="g++ cmake ninja-build pkg-config ca-certificates nlohmann-json3-dev libfmt-dev libcli11-dev libboost-graph-dev libjemalloc-dev libxlsxwriter-dev libminizip-dev zlib1g-dev"
desktop_packages="qt6-base-dev libqt6opengl6-dev qt6-svg-dev libqcustomplot-dev qt6-qpa-plugins libgl1-mesa-dri fonts-noto-core fonts-dejavu-core libvulkan-dev"
test_packages="xvfb xauth xdotool ccache clang-format-14 universal-ctags libreoffice-calc-nogui slurmctld slurmd slurm-client munge slurm-wlm-basic-plugins"
package_packages="help2man dpkg-dev fakeroot file xz-utils"
package_test_packages="lintian desktop-file-utils appstream"
long_test_packages="debootstrap git clang-14 libclang-rt-14-dev clang-tidy-14"

# Installs missing packages, as root or with sudo.
need() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "installing: ${missing[*]}"
    local as=""
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || { echo "missing packages, and neither root nor sudo is available: ${missing[*]}" >&2; return 1; }
        as=sudo
    fi
    $as apt-get -qq -o DPkg::Lock::Timeout=300 update >/dev/null &&
        $as env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}" >/dev/null
}
