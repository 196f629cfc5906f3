"""The settings of the road between a table and the hub of a tournament."""

from __future__ import annotations

from device.setting import Setting

HUB_SETTINGS: tuple[Setting, ...] = (
    Setting(
        "hub.pairing_file",
        "",
        "",
        "This table's pairing with the hub of a tournament, made by `schockauge pair`; empty: the "
        "table plays for itself.",
        help_de="Kopplung dieses Tisches mit der Turnierzentrale, angelegt von `schockauge "
        "pair`; leer: der Tisch spielt für sich.",
        locked="file",
    ),
    Setting(
        "hub.folder",
        "hub",
        "",
        "At the hub: folder of its broker, with paired tables and certificates; made when absent.",
        help_de="An der Turnierzentrale: Ordner ihres Brokers mit den gekoppelten Tischen und "
        "Zertifikaten; wird angelegt, wo keiner ist.",
        locked="hub",
    ),
    Setting(
        "hub.host",
        "",
        "",
        "At the hub: name or address under which tables reach it; empty: that of this machine in "
        "its network, as it is while a table is paired.",
        help_de="An der Turnierzentrale: Name oder Adresse, unter der die Tische sie "
        "erreichen; leer: die dieses Geräts in seinem Netz, wie sie beim Koppeln ist.",
        locked="hub",
    ),
    Setting(
        "hub.host_names",
        [],
        "",
        "At the hub: further names and addresses for the certificate of its broker.",
        help_de="An der Turnierzentrale: weitere Namen und Adressen für das Zertifikat ihres "
        "Brokers.",
        locked="hub",
    ),
    Setting(
        "hub.database",
        "",
        "",
        "At the hub: address of its database, such as postgresql://user@localhost/schockauge; "
        "empty: an SQLite file in hub.folder, which does for a few tables.",
        help_de="An der Turnierzentrale: Adresse ihrer Datenbank, etwa "
        "postgresql://user@localhost/schockauge; leer: eine SQLite-Datei in "
        "hub.folder, die für ein paar Tische reicht.",
        locked="hub",
        secret=True,
    ),
    Setting(
        "hub.broker_port",
        8883,
        "",
        "At the hub: port of the broker, with TLS.",
        1,
        help_de="An der Turnierzentrale: Port des Brokers, mit TLS.",
        most=65_535,
        locked="hub",
    ),
    Setting(
        "hub.local_port",
        0,
        "",
        "At the hub: a further port of the broker without TLS, on 127.0.0.1 alone, with the same "
        "passwords; 0: none.",
        0,
        help_de="An der Turnierzentrale: ein weiterer Port des Brokers ohne TLS, nur auf "
        "127.0.0.1, mit denselben Passwörtern; 0: keiner.",
        most=65_535,
        locked="hub",
    ),
)
