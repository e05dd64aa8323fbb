import { Button, Callout, DialogBody, DialogFooter, Tab, Tabs } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'
import type { AgentSummary } from '@watchroom/shared/agents'
import { useState } from 'react'

import { copyText } from '../../../ui/copyToClipboard.ts'
import { GuardedDialog } from '../../../ui/dialog/GuardedDialog.tsx'
import { shownOnceQuestion } from '../../../ui/dialog/shownOnce.ts'
import { CodeBlock } from '../../../ui/installation/CodeBlock.tsx'
import {
  type Installation,
  toAgentCommand,
  toFluxManifests,
  toHelmCommands,
  TOKEN_PLACEHOLDER,
} from '../installation.ts'
import { FirstPush } from './FirstPush.tsx'

import styles from '../agents.module.css'

interface InstallationDialogProps {
  installation: Installation
  /** The agent from the live topic; undefined until it appears. */
  agent: AgentSummary | undefined
  onClose: () => void
}

/** How to start the agent. The only place where its token is ever shown. */
export function InstallationDialog({ installation, agent, onClose }: InstallationDialogProps) {
  const isTokenKnown = installation.token !== TOKEN_PLACEHOLDER
  const [isSafe, setSafe] = useState(!isTokenKnown)
  const isLeavable = isSafe || Boolean(agent?.last_received)

  async function handleCopy(text: string): Promise<void> {
    if (await copyText(text)) setSafe(true)
  }

  const panel = (text: string, what: string) => <CodeBlock text={text} what={what} onCopied={() => setSafe(true)} />
  return (
    <GuardedDialog
      size="medium"
      title="Installation Instructions"
      className={`${styles['dialog']} ${styles['installation']}`}
      hasLoss={() => !isLeavable}
      question={shownOnceQuestion('token')}
      onClose={onClose}
    >
      {({ close }) => (
        <>
          <DialogBody>
            <Callout intent="warning" compact>
              {isTokenKnown
                ? 'The access token in these instructions is shown only once. Copy it now and treat it like a password.'
                : `The access token was shown when the agent was created. Use it in place of ${TOKEN_PLACEHOLDER}.`}
            </Callout>
            {isTokenKnown ? (
              <div className={styles['token']}>
                <span className={styles['tokenLabel']}>Access token</span>
                <code onCopy={() => setSafe(true)}>{installation.token}</code>
                <Button
                  icon={<Duplicate />}
                  text="Copy token"
                  size="small"
                  variant="outlined"
                  onClick={() => void handleCopy(installation.token)}
                />
              </div>
            ) : null}
            <Tabs id="agent-installation" defaultSelectedTabId="helm">
              <Tab
                disabled={false}
                id="flux"
                title="Flux"
                panel={panel(toFluxManifests(installation), 'Flux manifests')}
              />
              <Tab
                disabled={false}
                id="helm"
                title="Helm CLI"
                panel={panel(toHelmCommands(installation), 'Helm commands')}
              />
              <Tab
                disabled={false}
                id="program"
                title="Command"
                panel={panel(toAgentCommand(installation), 'command')}
              />
            </Tabs>
            <h3 className={styles['nextTitle']}>Next steps</h3>
            <ol className={styles['next']}>
              <li>
                Run the commands, or commit the manifests, where the agent should run. It needs to reach{' '}
                <code>{installation.baseUrl}</code>.
              </li>
              <li>
                {installation.kubernetes.enabled
                  ? 'With Flux or Helm, the first chart installs the agent. The second one scrapes the cluster it runs in.'
                  : 'With Flux or Helm, a chart installs the agent. Enable Kubernetes to add a second chart that scrapes its cluster.'}
              </li>
              <li>This page tells you when the agent reports for the first time.</li>
            </ol>
          </DialogBody>
          <DialogFooter actions={<Button text="Close" intent={isLeavable ? 'primary' : 'none'} onClick={close} />}>
            <FirstPush agent={agent} />
          </DialogFooter>
        </>
      )}
    </GuardedDialog>
  )
}
