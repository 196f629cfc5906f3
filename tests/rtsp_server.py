"""A real RTSP server of moving pictures, by GStreamer; run by Debian's own Python.

    /usr/bin/python3 rtsp_server.py PORT USER PASSWORD

It needs python3-gi, gir1.2-gst-rtsp-server-1.0 and gstreamer1.0-plugins-good and -ugly of Debian.
"""

import sys


def main(port: str, user: str, password: str) -> None:
    """Serve `/mat` to whoever knows the password."""
    import gi

    gi.require_version("Gst", "1.0")
    gi.require_version("GstRtspServer", "1.0")
    from gi.repository import GLib, Gst, GstRtspServer

    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(port)
    auth = GstRtspServer.RTSPAuth()
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "viewer")
    auth.add_basic(GstRtspServer.RTSPAuth.make_basic(user, password), token)
    server.set_auth(auth)
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(
        "( videotestsrc is-live=true pattern=ball ! video/x-raw,width=320,height=240,framerate=20/1"
        " ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=20"
        " ! rtph264pay config-interval=1 name=pay0 pt=96 )"
    )
    factory.set_shared(True)
    roles = {"media.factory.access": True, "media.factory.construct": True}
    permissions = GstRtspServer.RTSPPermissions()
    permissions.add_role("viewer")
    for name, allowed in roles.items():
        permissions.add_permission_for_role("viewer", name, allowed)
    factory.set_permissions(permissions)
    server.get_mount_points().add_factory("/mat", factory)
    server.attach(None)
    print("ready", flush=True)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main(*sys.argv[1:])
