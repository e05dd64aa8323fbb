import {
  collectDefaultMetrics,
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client'

/** Durations in seconds, as Prometheus asks: 1 ms to 10 s. */
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Written out where it is registered, so that a search for what a dashboard shows finds it. */
type Named = { readonly name: `watchroom_${string}` }

/** Where capabilities register their measurements. One registry per gateway, so that two in one process do not collide. */
export interface Metrics {
  counter<Label extends string>(options: Omit<CounterConfiguration<Label>, 'registers'> & Named): Counter<Label>
  /** Give `collect` to measure only when someone asks. */
  gauge<Label extends string>(options: Omit<GaugeConfiguration<Label>, 'registers'> & Named): Gauge<Label>
  histogram<Label extends string>(options: Omit<HistogramConfiguration<Label>, 'registers'> & Named): Histogram<Label>
  /** Text exposition format. */
  render(): Promise<string>
  readonly contentType: string
  close(): void
}

/** @param options.process also measure this process: CPU, memory, event loop delay, garbage collection */
export function createMetrics(options: { process: boolean }): Metrics {
  const registry = new Registry()
  if (options.process) collectDefaultMetrics({ register: registry })
  return {
    counter: (configuration) => new Counter({ ...configuration, registers: [registry] }),
    gauge: (configuration) => new Gauge({ ...configuration, registers: [registry] }),
    histogram: (configuration) =>
      new Histogram({ buckets: DURATION_BUCKETS_S, ...configuration, registers: [registry] }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
    close: () => registry.clear(),
  }
}
