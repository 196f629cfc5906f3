"""The checks for Prometheus, in a registry of their own; no player is named anywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import metadata

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from device.health.state import Finding, State
from device.health.vitals import Vitals

NAMESPACE = "schockauge"
READ_BUCKETS_S = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.5, 2.5, 5.0)


class _Findings(Collector):
    def __init__(self, findings: Callable[[], Sequence[Finding]], vitals: Vitals | None) -> None:
        self._findings, self._vitals = findings, vitals

    def describe(self) -> Iterable[Family]:
        """Nothing beforehand: registering is no look."""
        return ()

    def collect(self) -> Iterable[Family]:
        states = GaugeMetricFamily(
            f"{NAMESPACE}_check_state",
            "How a check is: 1 at the state that it has, 0 at the others.",
            labels=("check", "state"),
        )
        for finding in self._findings():
            for state in State:
                states.add_metric((finding.check.key, state), float(finding.state is state))
            metric = finding.check.metric
            if metric is not None and finding.value is not None:
                yield GaugeMetricFamily(
                    f"{NAMESPACE}_{metric.name}",
                    finding.check.title[1],
                    value=finding.value * metric.factor,
                )
        yield states
        if self._vitals is not None:
            yield CounterMetricFamily(
                f"{NAMESPACE}_camera_frames",
                "Pictures that have come.",
                value=self._vitals.frames_seen,
            )
        told = {"version": metadata.version("schockauge")}
        yield InfoMetricFamily(f"{NAMESPACE}_build", "What runs here.", value=told)


class Metrics:
    """Makes the text.

    Args:
        findings: how everything is.
        vitals: of the watch; its readings go into a histogram.
    """

    def __init__(
        self, findings: Callable[[], Sequence[Finding]], vitals: Vitals | None = None
    ) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_Findings(findings, vitals))
        ProcessCollector(registry=self._registry)
        if vitals is not None:
            reads = Histogram(
                f"{NAMESPACE}_read_seconds",
                "How long the networks need for a picture.",
                buckets=READ_BUCKETS_S,
                registry=self._registry,
            )
            vitals.read_took = reads.observe

    def text(self) -> tuple[bytes, str]:
        """The text, and its content type."""
        return generate_latest(self._registry), CONTENT_TYPE_PLAIN_0_0_4
