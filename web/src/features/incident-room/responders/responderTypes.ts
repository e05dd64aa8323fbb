/** Systems that a team can be called in through. `person` is not chosen here: it is the other branch of the wizard. */
export const RESPONDER_TYPES = [
  'email',
  'jira',
  'service_now',
  'ca',
  'aws_support',
  'aws_ams_services_request',
  'redhat',
  'oracle',
  'ms_planner',
  'vmware',
  'person',
] as const
export type ResponderType = (typeof RESPONDER_TYPES)[number]

export type ResponderField =
  | 'to'
  | 'subject'
  | 'body'
  | 'configType'
  | 'project'
  | 'issueType'
  | 'priority'
  | 'summary'
  | 'description'
  | 'category'
  | 'product'
  | 'plan_id'
  | 'bucket_id'
  | 'title'
  | 'person'

const REQUEST: readonly ResponderField[] = ['category', 'description', 'body']
const PRODUCT_REQUEST: readonly ResponderField[] = ['product', ...REQUEST]

interface ResponderDefinition {
  readonly title: string
  /** In the order of the form; all are required. */
  readonly fields: readonly ResponderField[]
}

export const RESPONDERS: Record<ResponderType, ResponderDefinition> = {
  email: { title: 'Email', fields: ['to', 'subject', 'body'] },
  jira: {
    title: 'Jira',
    fields: ['configType', 'project', 'issueType', 'priority', 'summary', 'description'],
  },
  service_now: { title: 'ServiceNow', fields: REQUEST },
  ca: { title: 'CA', fields: REQUEST },
  aws_support: { title: 'AWS Support', fields: REQUEST },
  aws_ams_services_request: { title: 'AWS AMS Service Request', fields: REQUEST },
  redhat: { title: 'Redhat', fields: PRODUCT_REQUEST },
  oracle: { title: 'Oracle', fields: PRODUCT_REQUEST },
  ms_planner: {
    title: 'Microsoft Planner',
    fields: ['configType', 'plan_id', 'bucket_id', 'priority', 'title', 'description'],
  },
  vmware: { title: 'VMWare', fields: PRODUCT_REQUEST },
  person: { title: 'Person', fields: ['person'] },
}

export const FIELD_LABELS: Record<ResponderField, string> = {
  to: 'To',
  subject: 'Subject',
  body: 'Body',
  configType: 'Instance',
  project: 'Project',
  issueType: 'Issue type',
  priority: 'Priority',
  summary: 'Summary',
  description: 'Description',
  category: 'Category',
  product: 'Product',
  plan_id: 'Plan',
  bucket_id: 'Bucket',
  title: 'Title',
  person: 'Person',
}

/** Types that the backend calls in itself; the others are only recorded. */
export const CALLED_HERE: ReadonlySet<string> = new Set<ResponderType>(['email', 'jira', 'ms_planner', 'person'])

export function isResponderType(value: unknown): value is ResponderType {
  return RESPONDER_TYPES.some((type) => type === value)
}

/** Type of a stored responder; some consoles store the chosen option `{label, value}` in place of its value. */
export function readResponderType(properties: Readonly<Record<string, unknown>> | null | undefined): string | null {
  const stored = properties?.['responderType']
  const value = typeof stored === 'object' && stored !== null && 'value' in stored ? stored.value : stored
  return typeof value === 'string' && value !== '' ? value : null
}
