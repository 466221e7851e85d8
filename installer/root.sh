# A minimal Debian 12 in a folder, with the package sources of this machine. Sourced by clean_root and package_root.

# Sets `root`, which is removed at the end. As root only.
make_root() {
    root=$(mktemp -d -p /var/tmp railyard-root.XXXXXX)
    clean() { umount -l "$root/proc" 2>/dev/null; rm -rf "$root"; }
    trap clean EXIT
    local mirror trust
    mirror=$(sed -nE 's/^deb (\[[^]]*\] )?([^ ]+) bookworm .*/\2/p; s/^URIs: *([^ ]+).*/\1/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -1)
    debootstrap --variant=minbase bookworm "$root" ${mirror:-} >"$root.log" 2>&1 || { tail -5 "$root.log"; return 1; }
    rm -f "$root.log"
    cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null
    rm -f "$root/etc/apt/sources.list"
    cp -r /etc/apt/sources.list* /etc/apt/apt.conf.d "$root/etc/apt/" 2>/dev/null
    for trust in /etc/apt/trusted.gpg.d /usr/share/keyrings /etc/ssl/certs /usr/local/share/ca-certificates /etc/apt/keyrings; do
        [ -d "$trust" ] && mkdir -p "$root$trust" && cp -rL "$trust/." "$root$trust/" 2>/dev/null
    done
    mount -t proc proc "$root/proc" 2>/dev/null
    return 0
}
# Gives the root a copy of what this machine has compiled, so that a test of the build need not wait for the compiler. Files are still looked
# for where the packages of the root put them. Does nothing without ccache.
copy_compiled() {
    local cache
    command -v ccache >/dev/null && cache=$(ccache --get-config cache_dir) && [ -d "$cache" ] || return 0
    in_root env DEBIAN_FRONTEND=noninteractive sh -c 'apt-get -qq update && apt-get -qq install -y --no-install-recommends ccache' >/dev/null 2>&1 || return 0
    mkdir -p "$root/root/.cache" && cp -a "$cache" "$root/root/.cache/ccache"
}
in_root() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" chroot "$root" "$@"; }
