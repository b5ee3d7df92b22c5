import type { TerminalGrant } from '../../../shared/ipc/keys/secrets.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Panel } from '../../kit/layout/panel.tsx'
import { State } from '../../kit/layout/state.tsx'
import textStyles from '../../kit/text.module.css'
import { Time } from '../../kit/time/time.tsx'
import { CommandWords, VisibleText } from '../../kit/visible-text.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { HelpButton } from '../../parts/help/help-link.tsx'
import { settingsText } from '../../text/en/settings.en.tsx'
import styles from './settings.module.css'

/** Whether `svc-desk` commands can reach the app, and which commands get a key without asking the user. */
export function TerminalPanel() {
  const state = useIpcQuery('terminal.state', {})
  const grants = useIpcQuery('terminal.grants', {})
  const forget = useIpcCommand('terminal.forget')
  const list = grants.data ?? []
  return (
    <div id="settings-terminal">
      <Panel
        title={settingsText.terminalCommands}
        count={list.length === 0 ? undefined : list.length}
        end={
          <>
            {state.data === undefined ? null : state.data.line === 'open' ? (
              <State tone="ok" icon="check">
                {settingsText.commandReachesApp}
              </State>
            ) : (
              <State tone="warn" icon="warn">
                {settingsText.commandCannotReachApp}
              </State>
            )}
            <HelpButton topic="settings/terminal" />
          </>
        }
      >
        {state.data?.line === 'closed' && state.data.detail !== null ? <p className={cx(styles.settingsNote, textStyles.muted)}>{state.data.detail}</p> : null}
        {forget.error === null ? null : (
          <div className={styles.settingsNote}>
            <FailureNote failure={failureOf(forget.error)} />
          </div>
        )}
        {list.length === 0 ? (
          <p className={cx(styles.settingsNote, textStyles.muted)}>{settingsText.terminalLead(<code>svc-desk run --key NAME -- COMMAND</code>)}</p>
        ) : (
          <ul className={styles.settingsList} aria-label={settingsText.allowedCommands}>
            {list.map((grant) => (
              <GrantLine
                key={grant.id}
                grant={grant}
                busy={forget.isPending && forget.variables.id === grant.id}
                onForget={() => forget.mutate({ id: grant.id })}
              />
            ))}
          </ul>
        )}
      </Panel>
    </div>
  )
}

function GrantLine({ grant, busy, onForget }: { readonly grant: TerminalGrant; readonly busy: boolean; readonly onForget: () => void }) {
  const { kind, key, webhook, profile, words, folder, endsAtMs, lastUsedAtMs } = grant
  return (
    <li>
      <div className={textStyles.grow}>
        <div className={styles.settingsName}>
          <b>
            <VisibleText text={[key?.label, webhook?.url].filter((name) => name != null).join(' + ')} />
          </b>
          <span className={textStyles.muted}>
            <VisibleText text={profile.name} />
          </span>
        </div>
        <CommandWords label={settingsText.command} words={words} />
        <div className={styles.settingsFacts}>
          {kind === 'run' ? (
            <span>
              {settingsText.inFolder(
                <code>
                  <VisibleText text={folder} />
                </code>,
              )}
            </span>
          ) : null}
          <span>{settingsText.grantExpires(<Time ms={endsAtMs} />)}</span>
          <span>{lastUsedAtMs === null ? settingsText.notUsedYet : settingsText.usedAt(<Time ms={lastUsedAtMs} />)}</span>
        </div>
      </div>
      <Button size="sm" busy={busy} onClick={onForget}>
        {settingsText.askAgain}
      </Button>
    </li>
  )
}
