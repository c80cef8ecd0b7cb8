"""Writes a real HLO dump and a real profile of a small training step over several CPU devices.

usage: XLA_FLAGS="--xla_force_host_platform_device_count=4 --xla_dump_to=DIR --xla_dump_hlo_as_text" \
       python sample.py PROFILE_DIRECTORY

Weights are gathered layer by layer inside a loop, gradients are reduced, and activations are passed on
around the ring: the collectives of FSDP and of a pipeline. Needs jax.
"""

import functools
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

LAYERS, WIDTH, BATCH = 4, 256, 64

mesh = Mesh(np.array(jax.devices()), ("fsdp",))
n = mesh.size
ring = [(i, (i + 1) % n) for i in range(n)]


def loss(weights, x):
    def layer(h, w):
        h = jnp.tanh(h @ jax.lax.all_gather(w, "fsdp", axis=0, tiled=True))
        return jax.lax.ppermute(h, "fsdp", ring), None

    h, _ = jax.lax.scan(layer, x, weights)
    return jax.lax.pmean(jnp.mean(h * h), "fsdp")


@jax.jit
@functools.partial(
    jax.shard_map, mesh=mesh, in_specs=(P(None, "fsdp", None), P("fsdp", None)), out_specs=(P(None, "fsdp", None), P())
)
def train_step(weights, x):
    value, gradients = jax.value_and_grad(loss)(weights, x)
    return weights - 0.1 * gradients, value


key = jax.random.key(0)
weights = jax.random.normal(key, (LAYERS, WIDTH, WIDTH)) * 0.05
x = jax.random.normal(key, (BATCH * n, WIDTH))
for warmup in range(3):
    weights, value = train_step(weights, x)
jax.block_until_ready(value)
options = jax.profiler.ProfileOptions()
options.python_tracer_level = 0
with jax.profiler.trace(sys.argv[1], profiler_options=options):
    for step in range(3):
        with jax.profiler.StepTraceAnnotation("train", step_num=step):
            weights, value = train_step(weights, x)
            jax.block_until_ready(value)
print("loss", float(value))
