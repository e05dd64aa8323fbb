// What is installed by GitOps: a chart each, with the values that people give it. The schemas are those that the charts come with, as far
// as people write them; charts have other values, too, so an unknown key is pointed out and not refused.
import { z } from 'zod'

export const CHART_KEYS = ['aws', 'azure', 'prometheus', 'flux', 'kubernetes', 'mission-control'] as const
export type ChartKey = (typeof CHART_KEYS)[number]

export interface GitOpsChart {
  readonly title: string
  /** In the repository of charts. */
  readonly chart: string
  readonly purpose: string
  readonly schema: z.ZodObject
  /** What the editor begins with: what is required, and what most people change. */
  readonly values: Readonly<Record<string, unknown>>
}

const text = (description: string) => z.string().describe(description).optional()
const needed = (description: string) =>
  z.string({ error: 'This field is required' }).min(1, 'This field is required').describe(description)
const flag = (description: string) => z.boolean().describe(description).optional()
const names = (description: string) => z.array(z.string()).describe(description).optional()
const anything = (description: string) => z.record(z.string(), z.unknown()).describe(description).optional()
const list = (description: string) => z.array(z.unknown()).describe(description).optional()

const key = z.looseObject({ name: text('Name of the object in the cluster'), key: text('Key in it') }).optional()
const credential = (description: string) =>
  z
    .looseObject({
      name: text('Name of the variable'),
      value: text('The value itself; a reference is safer'),
      valueFrom: z
        .looseObject({
          serviceAccount: text('Service account whose token is taken'),
          helmRef: key,
          configMapKeyRef: key,
          secretKeyRef: key,
        })
        .optional(),
    })
    .nullable()
    .describe(description)
    .optional()

const COMMON = {
  labels: z.record(z.string(), z.string()).describe('Labels for everything the chart creates').optional(),
}
const scraperName = z.looseObject({ name: text('Name of the scraper') })

const AwsSchema = z.looseObject({
  ...COMMON,
  scraper: scraperName.optional(),
  connection: text('Connection of type AWS: connection://namespace/name'),
  accessKey: credential('Access key, without a connection'),
  secretKey: credential('Secret key, without a connection'),
  region: names('Regions to read'),
  endpoint: text('Custom endpoint instead of AWS'),
  skipTLSVerify: flag('Accept any certificate'),
  assumeRole: text('IAM role to assume'),
  cloudtrail: z.looseObject({ maxAge: text('How far to look back'), exclude: names('Events to exclude') }).optional(),
  compliance: flag('Turn AWS Config rule failures into insights'),
  costReporting: z
    .looseObject({
      enabled: flag('Read cost reports'),
      s3BucketPath: text('Where the reports are'),
      database: text('Database of Athena'),
      table: text('Table of Athena'),
      region: text('Region of Athena'),
    })
    .optional(),
  includeResources: names('Resource kinds to include'),
  excludeResources: names('Resource kinds to exclude'),
  transform: anything('Changes and relationships'),
  retention: anything('How long to keep changes and items'),
})

const AzureSchema = z.looseObject({
  ...COMMON,
  subscriptionID: needed('Subscription to read'),
  scraper: scraperName,
  tenantID: needed('Directory (tenant) of the subscription'),
  organisation: text('Organisation'),
  connection: text('Connection of type Azure: connection://namespace/name'),
  clientID: credential('Client ID, without a connection'),
  clientSecret: credential('Client secret, without a connection'),
  exclusions: z.looseObject({ activityLogs: names('Activity log operations to exclude') }).optional(),
  transform: anything('Relationships'),
})

const PrometheusSchema = z.looseObject({
  ...COMMON,
  prometheusURL: needed('Address of Prometheus'),
  topologyName: needed('Name of the topology'),
  prometheusNamespace: text('Namespace in which Prometheus runs'),
})

const FluxSchema = z.looseObject({
  ...COMMON,
  topologyName: needed('Name of the topology'),
  playbooks: z
    .looseObject({
      enabled: flag('Install playbooks for Flux'),
      git: z.looseObject({ connection: text('Connection of the repository of manifests') }).optional(),
      resume: flag('Resume'),
      suspend: flag('Suspend'),
      reconcile: flag('Reconcile'),
      updateHelmValues: flag('Update Helm values'),
      updateHelmChartVersion: flag('Update chart versions'),
      updateResourceResources: flag('Update requests and limits'),
      updateResourceImage: flag('Update images'),
      updateResourceReplicas: flag('Update replicas'),
    })
    .optional(),
})

const KubernetesSchema = z.looseObject({
  ...COMMON,
  clusterName: needed('Name of the cluster'),
  kubeconfig: credential('For a cluster other than the one the chart is installed in'),
  global: anything('Values shared by all charts'),
  prometheus: z
    .looseObject({
      createConnection: flag('Create the connection to Prometheus'),
      connection: text('Name of the connection'),
      labels: text('Labels added to queries'),
    })
    .optional(),
  metrics: z
    .looseObject({
      enabled: flag('Show CPU and memory'),
      type: z.enum(['prometheus', 'gke']).describe('Where metrics come from').optional(),
      queries: anything('Queries of CPU and memory'),
    })
    .optional(),
  playbooks: anything('Playbooks for Kubernetes'),
  scraper: z
    .looseObject({
      name: text('Name of the scraper'),
      schedule: text('When to read everything, for example @every 15m'),
      watch: list('Kinds to watch for changes'),
      exclusions: anything('Exclusions: names, kinds, namespaces, labels'),
      relationships: list('How items are related'),
      retention: anything('How long to keep changes and items'),
      transform: anything('Changes of what is read'),
    })
    .optional(),
  topology: z
    .looseObject({
      enabled: flag('Create a topology of the cluster'),
      name: text('Name of the topology'),
      schedule: text('When it is updated, for example @every 5m'),
      icon: text('Icon'),
      groupBy: anything('Groups by a tag'),
      ingress: anything('Ingresses and their checks'),
    })
    .optional(),
})

export const CHARTS: Readonly<Record<ChartKey, GitOpsChart>> = {
  aws: {
    title: 'AWS',
    chart: 'mission-control-aws',
    purpose: 'Resources, changes, costs and compliance of AWS accounts.',
    schema: AwsSchema,
    values: { scraper: { name: 'aws' }, connection: '', region: [], compliance: true },
  },
  azure: {
    title: 'Azure',
    chart: 'mission-control-azure',
    purpose: 'Resources and activity of an Azure subscription.',
    schema: AzureSchema,
    values: { scraper: { name: 'azure' }, subscriptionID: '', tenantID: '', organisation: '', connection: '' },
  },
  prometheus: {
    title: 'Prometheus',
    chart: 'mission-control-prometheus',
    purpose: 'Prometheus and its targets as a topology.',
    schema: PrometheusSchema,
    values: { prometheusURL: 'http://prometheus.monitoring.svc:9090', topologyName: 'prometheus' },
  },
  flux: {
    title: 'Flux',
    chart: 'mission-control-flux',
    purpose: 'Flux resources as a topology, with playbooks.',
    schema: FluxSchema,
    values: { topologyName: 'flux', playbooks: { enabled: true, git: { connection: 'connection://' } } },
  },
  kubernetes: {
    title: 'Kubernetes',
    chart: 'mission-control-kubernetes',
    purpose: 'Objects, events and a topology of a cluster.',
    schema: KubernetesSchema,
    values: { clusterName: 'kubernetes', scraper: { schedule: '@every 15m' }, topology: { enabled: true } },
  },
  'mission-control': {
    title: 'Mission Control',
    chart: 'mission-control-watchtower',
    purpose: 'Monitoring of Mission Control itself.',
    // The chart comes without a schema.
    schema: z.looseObject(COMMON),
    values: {},
  },
}
