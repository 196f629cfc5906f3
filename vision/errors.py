"""What can go wrong in `vision`; every text is a whole sentence that says what to do next."""


class VisionError(Exception):
    """Any failure that `vision` reports on purpose."""


class ModelError(VisionError, RuntimeError):
    """A model file is missing, damaged, or not the model that is expected here."""


class PictureError(VisionError, ValueError):
    """An array that is not a picture: empty, wrong type or wrong shape."""


class CalibrationError(VisionError, ValueError):
    """The mat cannot be found or does not fit the picture."""


class FrameOrderError(VisionError, ValueError):
    """A frame is older than the one before it."""


class SeatsError(VisionError, ValueError):
    """Seats that a mat cannot have: too many, at the same place, or too small for a cup."""
