"""A window of another program from which a user drags files: python3 drag-source.py PATH…"""

import pathlib
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

uris = [pathlib.Path(name).as_uri() for name in sys.argv[1:]]
window = Gtk.Window(title="drag source", type=Gtk.WindowType.POPUP)
window.set_default_size(120, 120)
window.move(0, 0)
source = Gtk.EventBox()
source.add(Gtk.Label(label="files"))
source.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
source.drag_source_add_uri_targets()
source.connect("drag-data-get", lambda _widget, _context, data, _info, _time: data.set_uris(uris))
window.add(source)
window.show_all()
print("ready", flush=True)
Gtk.main()
