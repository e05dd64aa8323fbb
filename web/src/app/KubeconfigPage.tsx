import { PageHeader } from '../ui/PageHeader.tsx'
import { KubeconfigSteps } from './KubeconfigSteps.tsx'
import { KUBECONFIG_DOCS_URL } from './links.ts'

import styles from './shell.module.css'

/** `/kubeconfig`: the same content as the dialog of the user menu, at a URL that can be shared. */
export function KubeconfigPage() {
  return (
    <>
      <PageHeader title="Kubeconfig" />
      <section className={styles['request']} aria-label="Kubeconfig">
        <KubeconfigSteps />
        <p>
          <a href={KUBECONFIG_DOCS_URL} target="_blank" rel="noreferrer">
            Learn more
          </a>
        </p>
      </section>
    </>
  )
}
