// The invented past of the demo: what the room is working on, and what it worked on before. Times are minutes before the start.

import type { HypothesisStatus, HypothesisType, IncidentSeverity, IncidentStatus } from '@watchroom/shared/incidents'

/** Opens an incident when a payment provider fails, and calls in the team; it opened one of the past. */
export const PROVIDERS_RULE = {
  name: 'Payment providers',
  spec: {
    components: [{ labelSelector: 'demo=true,team=payments', types: ['Service'] }],
    filter: { status: ['unhealthy'] },
    template: { severity: 'critical', type: 'availability' },
    autoAssignOwner: true,
  },
  /** What it saw fail. */
  component: { name: 'Bank transfer north', type: 'Service' },
  team: 'Payments',
}

export interface DemoIncident {
  readonly title: string
  readonly description: string
  readonly severity: IncidentSeverity
  readonly type: string
  readonly status: IncidentStatus
  readonly ageMinutes: number
  /** By `PROVIDERS_RULE`. */
  readonly isOfRule?: boolean
}

const DAY = 24 * 60

/** The one that is open: the label printers of the estate in full. */
export const OPEN_INCIDENT: DemoIncident = {
  title: 'Label prints hang in edge-eu',
  description:
    'Labels come 40 s late since the morning rollout. Hall 3 stands still, hall 1 works by hand.\nCustomers see "label pending".',
  severity: 'high',
  type: 'availability',
  status: 'open',
  ageMinutes: 26,
}

export const OTHER_INCIDENTS: readonly DemoIncident[] = [
  {
    title: 'Card payments are refused by one bank',
    description: 'Only the northern bank answers with errors; the others take over.',
    severity: 'critical',
    type: 'availability',
    status: 'investigating',
    ageMinutes: 95,
    isOfRule: true,
  },
  {
    title: 'Backup of the parcel database is late',
    description: 'The nightly copy did not finish before the morning load.',
    severity: 'medium',
    type: 'reliability',
    status: 'mitigated',
    ageMinutes: 11 * 60,
  },
  ...(
    [
      ['Tracking page slow in the evening', 'medium', 'performance', 2],
      ['Carrier gateway offered an old cipher', 'blocker', 'security', 6],
      ['Export of invoices cost three times the plan', 'low', 'cost', 9],
      ['Customs messages queued for an hour', 'high', 'integration', 13],
      ['Retention of scans not applied', 'medium', 'compliance', 21],
      ['Search answered from an old index', 'low', 'technicalDebt', 30],
    ] as const
  ).map(([title, severity, type, days]) => ({
    title,
    severity,
    type,
    description: '',
    status: 'closed' as const,
    ageMinutes: days * DAY,
  })),
]

interface DemoHypothesis {
  readonly key: string
  readonly below: string | null
  readonly type: HypothesisType
  readonly title: string
  readonly status: HypothesisStatus
  readonly ageMinutes: number
}

/** Every type and every status once. */
export const HYPOTHESES: readonly DemoHypothesis[] = [
  {
    key: 'memory',
    below: null,
    type: 'root',
    title: 'The label printer runs out of memory',
    status: 'likely',
    ageMinutes: 26,
  },
  {
    key: 'limit',
    below: 'memory',
    type: 'factor',
    title: 'The morning rollout halved its memory limit',
    status: 'proven',
    ageMinutes: 20,
  },
  {
    key: 'rollback',
    below: 'limit',
    type: 'solution',
    title: 'Go back to 512Mi and four replicas',
    status: 'possible',
    ageMinutes: 14,
  },
  {
    key: 'consumers',
    below: 'memory',
    type: 'factor',
    title: 'Consumers of the print queue restart in a loop',
    status: 'unlikely',
    ageMinutes: 17,
  },
  {
    key: 'drain',
    below: 'consumers',
    type: 'solution',
    title: 'Drain the queue by hand',
    status: 'disproven',
    ageMinutes: 12,
  },
  {
    key: 'paper',
    below: 'memory',
    type: 'factor',
    title: 'Hall 3 is out of paper',
    status: 'improbable',
    ageMinutes: 23,
  },
]

export const CONFIG_LINES = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: label-printer
  namespace: edge-eu
spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: printer
          image: registry.example.test/label-printer:4.2.1
          resources:
            requests:
              memory: 128Mi
            limits:
              memory: 256Mi
          env:
            - name: QUEUE
              value: labels`.split('\n')

export const CONFIG_DIFF = `--- before
+++ after
@@ -6,12 +6,12 @@
 spec:
-  replicas: 4
+  replicas: 2
@@ -15,3 +15,3 @@
             limits:
-              memory: 512Mi
+              memory: 256Mi`
