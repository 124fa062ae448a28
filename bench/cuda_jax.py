#!/usr/bin/env python3
"""LuGre's exact step for prescribed motion in JAX, beside cuda-bench in the same run: cuda_jax.py PATH/TO/cuda-bench

2^20 contacts with parameters of their own, 2000 steps of 1 ms, all in one call of a compiled function. XLA makes a kernel of as
many steps as the loop is unrolled by (one, unless it is told otherwise), and between kernels everything passes through memory.
"""
import subprocess
import sys
import time

import jax
import jax.numpy as jnp

COUNT, STEPS, H = 1 << 20, 2000, 1e-3
UNROLL = (1, 2, 4, 8, 16)


def contact_steps(dtype, unroll):
    values = dict(sigma0=1e5, sigma1=316.22776601683796, sigma2=0.4, fc=1.0, fs=1.5, vs=1e-3)
    p = {name: jnp.full(COUNT, value, dtype) for name, value in values.items()}
    speed = jnp.sin(4e-3 * jnp.arange(1, STEPS + 1)).astype(dtype)
    h = jnp.asarray(H, dtype)

    @jax.jit
    def march(z, amplitude, p):  # parameters are arguments: what a function closes over is constant, and may be folded
        def step(carry, v_now):
            z, _ = carry
            v = amplitude * v_now
            g = p["fc"] + (p["fs"] - p["fc"]) * jnp.exp(-((v / p["vs"]) ** 2))
            moved = -jnp.expm1(-p["sigma0"] * h * jnp.abs(v) / g)
            dz = (jnp.copysign(g / p["sigma0"], v) - z) * moved
            force = p["sigma0"] * (z + dz) + p["sigma1"] * dz / h + p["sigma2"] * v
            return (z + dz, force), None

        return jax.lax.scan(step, (z, jnp.zeros_like(z)), speed, unroll=unroll)[0]

    z, amplitude = jnp.zeros(COUNT, dtype), jnp.full(COUNT, 0.1, dtype)
    jax.block_until_ready(march(z, amplitude, p))
    best = 1e9
    for _ in range(3):
        begin = time.perf_counter()
        jax.block_until_ready(march(z, amplitude, p))
        best = min(best, time.perf_counter() - begin)
    return COUNT * STEPS / best


def main():
    jax.config.update("jax_enable_x64", True)
    print(subprocess.run(sys.argv[1:2], check=True, capture_output=True, text=True).stdout, end="")
    for dtype, name in ((jnp.float64, "f64"), (jnp.float32, "f32")):
        rates = {unroll: contact_steps(dtype, unroll) for unroll in UNROLL}
        print(f"JAX       {name} prescribed       {rates[1]:.3g} contact-steps/s (so many steps in a kernel: "
              + ", ".join(f"{u}: {r:.3g}" for u, r in rates.items()) + ")", flush=True)


if __name__ == "__main__":
    main()
