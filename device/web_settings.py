"""The settings of the dashboard: where it listens, who may act, what it says."""

from __future__ import annotations

from device.setting import Setting

WEB_SETTINGS: tuple[Setting, ...] = (
    Setting(
        "web.host",
        "127.0.0.1",
        "",
        "Address the dashboard listens on; 0.0.0.0: all.",
        help_de="Adresse, unter der die Seite erreichbar ist; 0.0.0.0: unter allen des Geräts.",
        locked="address",
    ),
    Setting(
        "web.port",
        8080,
        "",
        "Port the dashboard listens on; 0: any free one.",
        0,
        help_de="Port, unter dem die Seite erreichbar ist; 0: irgendein freier.",
        most=65_535,
        locked="address",
    ),
    Setting(
        "web.threads",
        64,
        "threads",
        "Answers at the same time; each live view holds one, four are kept for the page.",
        2,
        help_de="So viele Antworten zugleich; jeder Zuschauer hält eine, vier bleiben für die "
        "Seite frei.",
        most=1000,
        locked="address",
    ),
    Setting(
        "web.table_needs_pin",
        default=True,
        unit="",
        help="Whether entering throws and answering questions needs the PIN of the table; false: "
        "whoever reaches the page may. Rulings and PINs always need theirs.",
        help_de="Ob es die PIN des Tisches braucht, um Würfe einzugeben und Fragen zu beantworten; "
        "nein: jeder darf, der die Seite erreicht. Entscheidungen und PINs brauchen immer ihre.",
        at_once=True,
    ),
    Setting(
        "web.signed_in_h",
        16.0,
        "h",
        "How long a device stays signed in, so that the one at the table does for the evening; "
        "the landlord's for one hour at most.",
        0.1,
        help_de="So lange bleibt ein Gerät angemeldet, damit das am Tisch den Abend über hält; das "
        "des Wirts höchstens eine Stunde. Gilt für die nächste Anmeldung.",
        most=8760,
        at_once=True,
    ),
    Setting(
        "web.host_names",
        [],
        "",
        "Names with a point by which browsers may call the dashboard, such as table1.example.org; "
        "addresses in digits, names without a point and *.local need no entry.",
        help_de="Namen mit Punkt, unter denen die Seite gerufen werden darf, etwa "
        "tisch1.example.org; Adressen aus Ziffern, Namen ohne Punkt und *.local brauchen keinen "
        "Eintrag.",
        locked="address",
    ),
    Setting(
        "web.language",
        "de",
        "",
        "Language of the pages.",
        choices=("de", "en"),
        help_de="Sprache der Seiten.",
        at_once=True,
    ),
    Setting(
        "web.table_name",
        "",
        "",
        "Name of the table in the page's head.",
        help_de="Name des Tisches im Kopf der Seite.",
        at_once=True,
    ),
    Setting(
        "web.public_url",
        "",
        "",
        "Address by which phones reach the pages, such as http://192.168.1.20:8080/, for the QR "
        "code on the wall screen; empty: the address under which the screen itself asked.",
        help_de="Adresse, unter der Handys die Seiten erreichen, etwa http://192.168.1.20:8080/, "
        "für den QR-Code auf dem großen Bildschirm; leer: die, unter der er selbst gefragt hat.",
        at_once=True,
    ),
)
