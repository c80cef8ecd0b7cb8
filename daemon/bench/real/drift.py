"""The model behind gains without fresh runs, implemented a second time with dense matrices and numpy.

Each measured run's log metric is its profile's level, plus a Brownian path of the baseline in time, plus one run's noise. Profiles with
one run say nothing about the noise and are compared with the path at their hour. A run that is far from the others of its profile is left out.
"""
import math
import statistics

import numpy
from scipy.stats import f as f_distribution
from scipy.stats import t as t_distribution

WANDER_PER_RUN = (0, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 10)
CONTROL = "(control)"
MAD = 4.5 * 1.4826


class Run:
    def __init__(self, profile, purpose, block, value, within, start):
        self.profile, self.fresh, self.block = profile, purpose.startswith("CONFIRM"), block
        self.control = purpose.endswith("CONTROL")
        self.arm = CONTROL if self.control else profile
        self.value, self.within, self.start = math.log(value), within, start


def standard_error(values):
    """Standard error of the mean of successive steps, relative to it: a first-order autoregression, its lag-one correlation corrected for short series."""
    values = numpy.array(values)
    n, away = len(values), values - values.mean()
    if n < 2:
        return math.nan
    raw = away[1:] @ away[:-1] / (away @ away) if away.any() else 0
    r = min(0.95, max(0, raw + (1 + 3 * raw) / n)) if away.any() else 0
    worth = max(1, n * (1 - r) / (1 + r)) if n > 2 else n
    return values.std(ddof=1) / math.sqrt(worth) / values.mean()


def without_stragglers(runs):
    controls = [r for r in runs if r.control]
    if len(controls) < 3 or len(runs) < 8:
        return runs
    near = {r: statistics.median(c.value for c in sorted(controls, key=lambda c: abs(c.start - r.start))[:5]) for r in runs}
    ratio = {r: r.value - near[r] for r in runs}
    own = {}
    for r in runs:
        own.setdefault(r.profile, []).append(ratio[r])
    centre = statistics.median(ratio.values())
    away = [abs(v - (statistics.median(vs) if len(vs) > 1 else centre)) for vs in own.values() for v in vs]
    threshold = max(0.04, MAD * statistics.median(away))
    kept = []
    for r in runs:
        vs = own[r.profile]
        level = max(vs) if len(vs) == 2 else statistics.median(vs)
        limit = threshold
        if len(vs) >= 4:
            limit = max(limit, MAD * statistics.median(abs(v - level) for v in vs) * (1 + 2 / len(vs)))
        if abs(ratio[r] - level) <= limit:
            kept.append(r)
    return kept


class Fit:
    """Generalised least squares around one wandering path; the wander is the likeliest value on a grid."""

    def __init__(self, runs, origin):
        self.origin = origin
        arms = [CONTROL] + sorted({r.arm for r in runs if sum(o.arm == r.arm for o in runs) > 1} - {CONTROL})
        runs = [r for r in runs if r.arm in arms]
        self.runs, self.arms = runs, arms
        self.hours = numpy.array([self.hour(r) for r in runs])
        self.values = numpy.array([r.value for r in runs])
        self.design = numpy.array([[r.arm == arm for arm in arms] for r in runs], dtype=float)
        span = self.hours[-1] if len(runs) > 1 else 0
        step = span / (len(runs) - 1) if span > 0 else 1
        self.freedom = len(runs) - len(arms)
        likelihoods = [(self.solve(w / step), -w) for w in (WANDER_PER_RUN if self.freedom >= 2 else (0,))]
        self.solve(-max(likelihoods)[1] / step)

    def hour(self, run):
        return (run.start - self.origin) / 3600

    def solve(self, wander):
        self.wander = wander
        covariance = numpy.eye(len(self.hours)) + wander * numpy.minimum.outer(self.hours, self.hours)
        self.inverse = numpy.linalg.inv(covariance)
        information = self.design.T @ self.inverse @ self.design
        self.covariance = numpy.linalg.inv(information)
        self.means = self.covariance @ self.design.T @ self.inverse @ self.values
        self.residual = self.values - self.design @ self.means
        squares = self.residual @ self.inverse @ self.residual
        self.deviation = math.sqrt(squares / self.freedom) if self.freedom > 0 else math.nan
        logs = [numpy.linalg.slogdet(m)[1] for m in (covariance, information)]
        return -0.5 * (self.freedom * math.log(max(squares, 1e-300)) + sum(logs)) - math.log1p(wander)

    def baseline(self, hour):
        """The path's level at that time, and the variance of its error."""
        along = self.wander * numpy.minimum(self.hours, hour)
        weights = self.inverse @ along
        gap = numpy.array([arm == CONTROL for arm in self.arms]) - weights @ self.design
        return self.means[0] + weights @ self.residual, max(0, self.wander * hour - along @ weights + gap @ self.covariance @ gap)

    def effect(self, profile, runs):
        """A profile's log-ratio to the baseline, and its variance in units of one run's."""
        if profile in self.arms:
            contrast = numpy.array([(arm == profile) - (arm == CONTROL) for arm in self.arms], dtype=float)
            return contrast @ self.means, contrast @ self.covariance @ contrast
        run = next(r for r in runs if r.arm == profile)
        level, variance = self.baseline(self.hour(run))
        return run.value - level, 1 + variance

    def wandered(self):
        levels = [self.baseline(h)[0] for h in self.hours]
        return max(levels) - min(levels)


def standard_errors(level, variance, freedom):
    """Half-width, in standard errors, of an interval that holds at every look (Lindon and others 2022, with a normal prior)."""
    freedom = min(freedom, 20)
    if freedom < 1:
        return math.inf
    shrink = 0.2 / (0.2 + 1 / variance)
    bound = (level * level * shrink) ** (1 / (freedom + 1))
    return math.sqrt(freedom * (1 - bound) / (bound - shrink)) if bound > shrink else math.inf


def fresh_radius(fit, blocks, gain, weight, level):
    """The noise for fresh runs with a single look: the larger of the whole sweep's and their own."""
    squares, runs = 0, 0
    for candidate, control in blocks:
        centre = (sum(candidate) - gain * len(candidate) + sum(control)) / (len(candidate) + len(control))
        squares += sum((v - centre - gain) ** 2 for v in candidate) + sum((v - centre) ** 2 for v in control)
        runs += len(candidate) + len(control)
    freedom = runs - len(blocks) - 1
    own, pooled = 0, math.nan
    if fit.freedom > 0:
        pooled = fit.deviation * t_distribution.isf(level / 2, max(1, fit.freedom - 1))
    if freedom > 0:
        noisier = not fit.freedom > 0 or squares / freedom / fit.deviation**2 > f_distribution.isf(0.1, freedom, fit.freedom)
        own = math.sqrt(squares / freedom) * t_distribution.isf(level / 2, freedom if noisier else max(freedom, 8))
    return max(pooled, own) / math.sqrt(weight)
