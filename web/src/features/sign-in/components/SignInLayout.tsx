import type { ReactNode } from 'react'

import { Logo } from '../../../ui/Logo.tsx'

import styles from '../signIn.module.css'

interface SignInLayoutProps {
  title: string
  children: ReactNode
  /** Links below the card. */
  footer?: ReactNode
  isWide?: boolean
}

/** The quiet page around every form of the identity service. */
export function SignInLayout({ title, children, footer, isWide = false }: SignInLayoutProps) {
  return (
    <div className={styles['signIn']} data-wide={isWide}>
      <title>{`${title} – Watchroom`}</title>
      <header className={styles['brand']}>
        <Logo size={36} />
        <span>Watchroom</span>
      </header>
      <main className={styles['card']}>
        <h1>{title}</h1>
        {children}
      </main>
      {footer ? <nav className={styles['footer']}>{footer}</nav> : null}
    </div>
  )
}
