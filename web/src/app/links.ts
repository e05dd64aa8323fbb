/** Version of the console's interface that Watchroom implements (first specification, section 9). */
export const FRONTEND_VERSION = '1.0.782'

/** Where `/` leads. */
export const HOME_PATH = '/topology'

export const DOCS_PATH = '/docs'

/** Explains what a kubeconfig file is and how kubectl finds it. */
export const KUBECONFIG_DOCS_URL =
  'https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/'
