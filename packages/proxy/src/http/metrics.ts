/** Counters for Prometheus. */
export interface Metrics {
  request(labels: RequestLabels, seconds: number): void
  firstByte(seconds: number): void
  call(isComplete: boolean): void
  bytes(direction: 'in' | 'out', count: number): void
  begin(): void
  end(): void
  render(): string
}

export interface RequestLabels {
  readonly route: string
  readonly mode: string
  readonly status: number
}

const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]

export function createMetrics(): Metrics {
  const requests = new Map<string, number>()
  const latency = createHistogram()
  const first = createHistogram()
  const calls = { parsed: 0, malformed: 0 }
  const traffic = { in: 0, out: 0 }
  let active = 0
  return {
    request({ route, mode, status }, seconds) {
      const key = `route="${route}",mode="${mode}",status="${status}"`
      requests.set(key, (requests.get(key) ?? 0) + 1)
      latency.add(seconds)
    },
    firstByte: seconds => first.add(seconds),
    call(isComplete) {
      if (isComplete) calls.parsed++
      else calls.malformed++
    },
    bytes(direction, count) {
      traffic[direction] += count
    },
    begin() {
      active++
    },
    end() {
      active--
    },
    render: () =>
      [
        ...metric('toolglot_requests_total', 'counter', 'Requests by route, mode and status.'),
        ...[...requests].map(([labels, count]) => `toolglot_requests_total{${labels}} ${count}`),
        ...metric('toolglot_requests_active', 'gauge', 'Requests that are being answered.'),
        `toolglot_requests_active ${active}`,
        ...metric(
          'toolglot_tool_calls_total',
          'counter',
          'Tool calls in answers, by whether their arguments could be read.',
        ),
        `toolglot_tool_calls_total{result="parsed"} ${calls.parsed}`,
        `toolglot_tool_calls_total{result="malformed"} ${calls.malformed}`,
        ...metric('toolglot_bytes_total', 'counter', 'Bytes of requests and answers.'),
        `toolglot_bytes_total{direction="in"} ${traffic.in}`,
        `toolglot_bytes_total{direction="out"} ${traffic.out}`,
        ...metric(
          'toolglot_request_seconds',
          'histogram',
          'Time from the request to the end of the answer.',
        ),
        ...latency.render('toolglot_request_seconds'),
        ...metric(
          'toolglot_first_byte_seconds',
          'histogram',
          'Time from the request to the first piece of the answer.',
        ),
        ...first.render('toolglot_first_byte_seconds'),
        '',
      ].join('\n'),
  }
}

function metric(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function createHistogram() {
  const counts = buckets.map(() => 0)
  let sum = 0
  let count = 0
  return {
    add(value: number) {
      buckets.forEach((limit, i) => {
        if (value <= limit) counts[i] = (counts[i] ?? 0) + 1
      })
      sum += value
      count++
    },
    render: (name: string) => [
      ...buckets.map((limit, i) => `${name}_bucket{le="${limit}"} ${counts[i] ?? 0}`),
      `${name}_bucket{le="+Inf"} ${count}`,
      `${name}_sum ${sum}`,
      `${name}_count ${count}`,
    ],
  }
}
