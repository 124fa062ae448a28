/* Mean of e^-y over 0..x, (1 - e^-x)/x: the exact step of dz/dt = a - b z is z += (a - b z) h mean_decay(b h),
 * also for b = 0. Small x use the series, so that neither value nor slope loses digits. */
#ifndef BRISTLE_EXPONENTIAL_H
#define BRISTLE_EXPONENTIAL_H

FN real mean_decay(real x)
{
  real series = K(1) - x * K(0.5) * (K(1) - x * K(1.0 / 3) * (K(1) - x * K(0.25) * (K(1) - x * K(0.2))));
  return x < K(1e-3) ? series : r_decay(x).d / r_max(x, K(1e-3));
}

#endif
