// The playbooks of the invented courier: safe on any machine, since their scripts only print.
import type { PlaybookSpec } from '@watchroom/shared/playbooks'

import type { SystemCapabilities } from './systemCapabilities.ts'

export interface DemoPlaybook {
  readonly name: string
  readonly spec: PlaybookSpec & { readonly title: string }
}

const print = (name: string, ...lines: readonly string[]) => ({
  name,
  exec: { script: lines.join('\n') },
  isRepeatable: true,
})

interface Options {
  /** E-mail addresses of those who may approve. */
  readonly approvers: string[]
  readonly can: Pick<SystemCapabilities, 'execute'>
}

export const demoPlaybooks = ({ approvers, can }: Options): readonly DemoPlaybook[] => [
  {
    name: 'collect-diagnostics',
    spec: {
      title: 'Collect diagnostics',
      description: 'Reads load, memory and disks of this machine, and samples them for a quarter of a minute.',
      category: 'Diagnostics',
      icon: 'diagnosis',
      checks: [{ types: ['http', 'tcp', 'exec'] }],
      parameters: [
        { name: 'note', label: 'Why', description: 'Stands on top of what is collected.', default: 'routine' },
      ],
      actions: [
        print('Facts', 'echo "Asked for: {{ params.note }}"', 'uname -a', 'cat /proc/loadavg', 'df -h / 2>/dev/null'),
        {
          name: 'Samples',
          exec: {
            script:
              'i=0; while [ $i -lt 40 ]; do i=$((i+1)); load=$(cut -d" " -f1 /proc/loadavg); echo "sample $i load $load"; echo "$i,$load" >>load.csv; sleep 0.35; done',
            artifacts: [{ path: 'load.csv' }],
          },
          isRepeatable: true,
        },
      ],
    },
  },
  {
    name: 'restart-worker',
    spec: {
      title: 'Restart worker',
      description: 'Drains a worker, restarts it and waits until it is well. Someone approves first.',
      category: 'Recovery',
      icon: 'restart',
      checks: [{ types: ['http'] }],
      approval: { type: 'any', approvers: { people: approvers } },
      parameters: [
        {
          name: 'worker',
          label: 'Worker',
          type: 'list',
          required: true,
          default: 'label-printer-1',
          properties: {
            options: ['label-printer-1', 'label-printer-2', 'router-1'].map((value) => ({ label: value, value })),
          },
        },
      ],
      actions: [
        print('Drain', 'echo "Draining {{ params.worker }}"; sleep 1; echo "No jobs left"'),
        print('Restart', 'echo "Restarting {{ params.worker }}"; sleep 2; echo "Up again"'),
        print('Watch', 'for i in 1 2 3 4 5; do echo "probe $i: 200 OK"; sleep 1; done'),
      ],
    },
  },
  {
    name: 'fail-over-edge',
    spec: {
      title: 'Fail over edge',
      description: 'Moves the traffic of one region to another. Two people confirm it.',
      category: 'Recovery',
      icon: 'swap-horizontal',
      parameters: [
        { name: 'from', label: 'From', required: true, default: 'edge-eu' },
        { name: 'to', label: 'To', required: true, default: 'edge-us' },
      ],
      actions: [
        print('Check capacity', 'echo "{{ params.to }}: 38 % used, room for {{ params.from }}"'),
        {
          ...print('Move traffic', 'for share in 10 25 50 100; do echo "$share % at {{ params.to }}"; sleep 1; done'),
          isDangerous: true,
        },
        print('Verify', 'echo "No errors within a minute"'),
      ],
    },
  },
  {
    name: 'cache-warm-up',
    spec: {
      title: 'Cache warm-up',
      description: 'Fills the caches of the tracking pages, region after region.',
      category: 'Maintenance',
      icon: 'flame',
      actions: ['edge-eu', 'edge-us', 'edge-apac'].map((region) =>
        print(
          `Warm ${region}`,
          `i=0; while [ $i -lt 60 ]; do i=$((i+1)); printf '\\033[32mHIT\\033[0m ${region} page %s in %s ms\\n' $i $((20 + i % 7 * 9)); sleep 1; done`,
        ),
      ),
    },
  },
  {
    name: 'rotate-certificate',
    spec: {
      title: 'Rotate certificate',
      description: 'Asks for a certificate, shows it to someone, and installs it once they agree.',
      category: 'Maintenance',
      icon: 'shield',
      actions: [
        print('Order', 'echo "Ordered for *.harbour-parcel.example"; sleep 1; echo "Issued, 90 days"'),
        { name: 'Agree', approval: { type: 'any', approvers: { people: approvers } } },
        print('Install', 'echo "Installed at 6 edges"'),
      ],
    },
  },
  {
    name: 'always-fails',
    spec: {
      title: 'Always fails at step 3',
      description: 'Shows how a run goes on from its failed step.',
      icon: 'bug',
      actions: [
        print('One', 'echo "well"'),
        print('Two', 'echo "still well"'),
        print('Three', 'echo "about to fail"; echo "disk quota exceeded" >&2; exit 3'),
        { ...print('Clean up', 'echo "cleaning up"'), if: 'always()' },
      ],
    },
  },
  {
    name: 'nightly-report',
    spec: {
      title: 'Nightly report',
      description: 'Counts the parcels of the day, rests until the books are closed, and tells the team.',
      category: 'Maintenance',
      icon: 'moon',
      // Where no script runs it would fail each night.
      ...(can.execute && { on: { schedule: '0 3 * * *' } }),
      actions: [
        print('Count', 'echo "41,822 parcels, 99.2 % on time"'),
        { name: 'Wait for the books', delay: '4h' },
        print('Write', 'echo "report written"'),
      ],
    },
  },
]
