"""The hub's own certificate authority, and the certificate of its broker.

The authority is made once and stays: tables trust it and nothing else. The broker's certificate
names the addresses under which tables reach it; it is made anew when these change, or before its
time is over, and no table notices.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from device.errors import HubError
from device.pairing_file import write_secret

CA_DAYS = 3650
SERVER_DAYS = 397
"""What browsers and phones still accept, should one ever look."""

RENEW_DAYS = 30
VALID_FROM = datetime(1970, 1, 1, tzinfo=UTC)
"""A table without a battery-backed clock goes on with the day on which it was switched off, or
begins with 1970; in a hall without internet nobody tells it better, and it must trust us all the
same."""


class Authority:
    """Signs the broker's certificates.

    Args:
        folder: holds `ca.pem` and `ca.key`; they are made when both are absent.

    Raises:
        HubError: one of them is missing or damaged.
    """

    def __init__(self, folder: Path) -> None:
        cert_file, key_file = folder / "ca.pem", folder / "ca.key"
        if not cert_file.exists() and not key_file.exists():
            _make_authority(cert_file, key_file)
        try:
            self.pem = cert_file.read_text(encoding="ascii")
            self._certificate = x509.load_pem_x509_certificate(self.pem.encode())
            key = serialization.load_pem_private_key(key_file.read_bytes(), None)
        except (OSError, ValueError) as error:
            raise HubError(
                f"The hub's authority in {folder} (ca.pem, ca.key) cannot be used: {error}. "
                "Restore both from a copy; or delete both, then all tables have to be paired anew."
            ) from error
        if not isinstance(key, ec.EllipticCurvePrivateKey) or (
            key.public_key() != self._certificate.public_key()
        ):
            raise HubError(f"{cert_file} and {key_file} do not belong together: restore both.")
        self._key = key

    def certify(self, cert_file: Path, key_file: Path, names: Collection[str]) -> bool:
        """See to it that there is a certificate for these names and addresses.

        Returns:
            Whether a new one was made.

        Raises:
            HubError: it cannot be written.
        """
        if _is_good(cert_file, key_file, names, self._certificate):
            return False
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Schockauge broker")])
        made = (
            _builder(subject, self._certificate.subject, key, SERVER_DAYS)
            .add_extension(x509.SubjectAlternativeName(_general(names)), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(_authority_id(self._key), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        write_secret(key_file, _key_pem(key))
        write_secret(cert_file, _cert_pem(made) + self.pem)
        return True


def _make_authority(cert_file: Path, key_file: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Schockauge hub")])
    usage = x509.KeyUsage(
        key_cert_sign=True,
        crl_sign=True,
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
    made = (
        _builder(subject, subject, key, CA_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    write_secret(key_file, _key_pem(key))
    write_secret(cert_file, _cert_pem(made))


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(VALID_FROM)
        .not_valid_after(now + timedelta(days=days))
    )


def _authority_id(key: ec.EllipticCurvePrivateKey) -> x509.AuthorityKeyIdentifier:
    return x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key())


def _general(names: Collection[str]) -> list[x509.GeneralName]:
    made: list[x509.GeneralName] = []
    for name in sorted(names):
        try:
            made.append(x509.IPAddress(ip_address(name)))
        except ValueError:
            made.append(x509.DNSName(name))
    return made


def _is_good(
    cert_file: Path, key_file: Path, names: Collection[str], authority: x509.Certificate
) -> bool:
    try:
        made = x509.load_pem_x509_certificate(cert_file.read_bytes())
        key = serialization.load_pem_private_key(key_file.read_bytes(), None)
        told = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        made.verify_directly_issued_by(authority)
    except (OSError, ValueError, TypeError, x509.ExtensionNotFound, InvalidSignature):
        return False
    left = made.not_valid_after_utc - datetime.now(UTC)
    fits = set(told) == set(_general(names)) and key.public_key() == made.public_key()
    since = made.not_valid_before_utc <= VALID_FROM
    return fits and since and left > timedelta(days=RENEW_DAYS)


def _cert_pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(serialization.Encoding.PEM).decode()


def _key_pem(key: ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()
