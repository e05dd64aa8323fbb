import { PageHeader } from '../ui/PageHeader.tsx'
import { KubeconfigSteps } from './KubeconfigSteps.tsx'
import { KUBECONFIG_DOCS_URL } from './links.ts'

import styles from './shell.module.css'

/** `/kubeconfig`: what the user menu opens, at an address that can be sent. */
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
