"""Gate, beside ``places``: what holds keys and passwords, by its name. Pure.

A name is judged wherever it stands in a path, and in whichever case it is written.
"""

from __future__ import annotations

from collections.abc import Iterable
import fnmatch
from itertools import pairwise
from pathlib import PurePosixPath

# Files and folders that hold keys and passwords, also where there are none yet.
FIXED = (
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/security/opasswd",
    "/etc/krb5.keytab",
    "/etc/ssl/private",
    "/etc/pki/tls/private",
    "/etc/letsencrypt",
    "/etc/wireguard",
    "/etc/openvpn",
    "/etc/ipsec.secrets",
    "/etc/ipsec.d/private",
    "/etc/swanctl/private",
    "/etc/kubernetes",
    "/etc/rancher",
    "/etc/ppp/chap-secrets",
    "/etc/ppp/pap-secrets",
    "/etc/NetworkManager/system-connections",
    "/etc/homeagent",
    "/etc/stunnel",
    "/etc/luks",
    "/etc/luks-keys",
    "/etc/cryptsetup-keys.d",
    "/etc/credstore",
    "/etc/credstore.encrypted",
    "/etc/config/shadow",
    "/etc/config/ssh",
    "/boot/config/shadow",
    "/boot/config/smbpasswd",
    "/boot/config/ssh",
    "/boot/config/ssl",
    "/data/pwenc_secret",
    "/data/freenas-v1.db",
    "/usr/syno/etc",
    "/root/.ssh",
    "/run/secrets",
    "/run/credentials",
    "/run/credstore",
    "/run/cryptsetup-keys.d",
    "/var/lib/samba/private",
    "/var/lib/homeagent-waiter",
    "/var/lib/NetworkManager",
    "/var/lib/systemd/credential.secret",
    "/var/lib/docker/containers",
    "/var/lib/containers/storage/overlay-containers",
    "/var/lib/rancher",
    "/var/lib/tailscale",
)
# Names of files and folders that hold such things wherever they are.
NAMES = (
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".storage",
    ".env*",
    "*.env",
    "*.key",
    "*.pfx",
    "*.p12",
    "*.jks",
    "*.kdbx",
    "*.keytab",
    "*.ovpn",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "ssh_host_*_key",
    "*.pem",
    "*.ppk",
    "*credentials*",
    "*_history",
    ".netrc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".git-credentials",
    ".pypirc",
    ".npmrc",
    "secrets.yaml",
    "secrets.yml",
    "secrets.json",
    "smbpasswd",
    "passdb.tdb",
    "secrets.tdb",
    "shadow",
    "shadow[-._~]*",
    "gshadow",
    "gshadow[-._~]*",
    "rclone.conf",
    "wp-config.php",
    "*.keyfile",
    "*.agekey",
    "*.luks",
    "age[-_]key*",
    "keys.txt",
    "luks[-_]*key*",
    "crypto_keyfile*",
    "wpa_supplicant*.conf",
    "hostapd*.conf",
    "sasl_passwd*",
    "msmtprc",
    ".msmtprc",
    "upsd.users*",
    ".vault-token",
    "credstore",
    "credstore.encrypted",
    ".password-store",
    "*.keyring",
    "debian.cnf",
    "logins.json",
    "key4.db",
)
# The same, where only the folder tells what a name stands for.
PAIRS = (
    ".docker/config.json",
    "apt/auth.conf*",
    "davfs2/secrets",
    "exim4/passwd.client",
    "gh/hosts.yml",
    "mosquitto*/passw*",
    "age/key*",
    "luks/*",
)


def within(path: str, folder: str) -> bool:
    """Return whether a path is a folder or in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def named_secret(path: str) -> bool:
    """Return whether a part of an absolute path is called like a secret."""
    parts = [part.casefold() for part in PurePosixPath(path).parts[1:]]
    return any(
        fnmatch.fnmatchcase(part, name)
        for part in parts
        for name in NAMES
        if not part.endswith(".pub")
    ) or any(
        fnmatch.fnmatchcase(f"{folder}/{name}", pair)
        for folder, name in pairwise(parts)
        for pair in PAIRS
    )


def denied(path: str, patterns: Iterable[str]) -> bool:
    """Return whether an owner's pattern covers an absolute path or a folder above."""
    parents = [path, *map(str, PurePosixPath(path).parents)]
    return any(
        fnmatch.fnmatchcase(parent, pattern)
        for parent in parents
        for pattern in patterns
    )
