import { Button } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'

import { readDemoOffer } from '../../../api/identity.ts'
import { identityKeys } from '../../../api/queryKeys.ts'

import styles from '../signIn.module.css'

interface DemoAccountsProps {
  isDisabled: boolean
  onChoose: (account: { identifier: string; password: string }) => void
}

/** On the machine that runs a demo: one button for each of its accounts. Nothing anywhere else. */
export function DemoAccounts({ isDisabled, onChoose }: DemoAccountsProps) {
  const { data: demo } = useQuery({
    queryKey: identityKeys.demoOffer,
    queryFn: ({ signal }) => readDemoOffer(signal),
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
  if (!demo) return null
  const { password, accounts } = demo
  return (
    <section className={styles['demoAccounts']} aria-label="Accounts of this demo">
      <p>
        This is a demo on your own machine. Every account has the password <code>{password}</code>. Continue as
      </p>
      <div>
        {accounts.map(({ role, email }) => (
          <Button
            key={role}
            size="small"
            text={role}
            title={email}
            disabled={isDisabled}
            onClick={() => onChoose({ identifier: email, password })}
          />
        ))}
      </div>
    </section>
  )
}
