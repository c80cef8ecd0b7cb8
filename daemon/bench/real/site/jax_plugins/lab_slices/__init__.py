"""Replaces a GPU runtime's information on the topology: each process is a slice, as a node is. JAX's CPU devices
have no slice index, and MaxText builds its outer (dcn) axes from it."""


def initialize():
    """JAX calls this function of every plug-in before it makes its first backend."""
    from jaxlib import _jax

    if not hasattr(_jax.Device, "slice_index"):
        _jax.Device.slice_index = property(lambda device: device.process_index)
