import { useState } from 'react'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox, Switch } from '../../../kit/checkbox.tsx'
import { cx } from '../../../kit/cx.ts'
import { Meter } from '../../../kit/layout/meter.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Panel } from '../../../kit/layout/panel.tsx'
import { State } from '../../../kit/layout/state.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { HelpButton } from '../../../parts/help/help-link.tsx'
import { settingsText } from '../../../text/en/settings.en.tsx'
import styles from '../settings.module.css'
import { CheckPlace, needsAttention, outcomeText, resultText, rowName, ServiceCheckDetail, unreadText } from './service-check-detail.tsx'

/** Runs every read, preview and preparation once, and shows which responses the app understands. */
export function ServiceCheckPanel() {
  const { data } = useIpcQuery('serviceCheck.state', {})
  const start = useIpcCommand('serviceCheck.start')
  const cancel = useIpcCommand('serviceCheck.cancel')
  const save = useIpcCommand('serviceCheck.save')
  const [onlyOpen, setOnlyOpen] = useState(false)
  const [dryRuns, setDryRuns] = useState(false)
  const [withWallet, setWithWallet] = useState(false)
  const [opened, setOpened] = useState<string | null>(null)
  if (data === undefined) return null
  const { phase, rows, done, endedAtMs, waitsUntilMs } = data
  const shown = onlyOpen ? rows.filter(needsAttention) : rows
  const failed = [start.error, save.error].find((error) => error !== null)
  const begin = (how: 'resume' | 'again') => start.mutate({ how, dryRuns, only: null })
  return (
    <div id="settings-check">
      <Panel
        title={settingsText.serviceCheck}
        end={
          <>
            <span className={styles.settingsActions}>
              {phase === 'running' ? (
                <Button size="sm" busy={cancel.isPending} onClick={() => cancel.mutate({})}>
                  {settingsText.stopCheck}
                </Button>
              ) : (
                <Button size="sm" variant="primary" busy={start.isPending} onClick={() => begin(phase === 'done' ? 'again' : 'resume')}>
                  {phase === 'none' ? settingsText.checkService : phase === 'stopped' ? settingsText.resumeCheck : settingsText.checkAgain}
                </Button>
              )}
              {rows.length === 0 ? null : (
                <Button size="sm" icon="download" busy={save.isPending} onClick={() => save.mutate({ wallet: withWallet })}>
                  {settingsText.saveReport}
                </Button>
              )}
            </span>
            <HelpButton topic="settings/check" />
          </>
        }
      >
        <div className={cx(styles.settingsNote, styles.checkHead)}>
          <p className={textStyles.muted}>{settingsText.serviceCheckLead}</p>
          <p role="status">
            {resultText(data)} {endedAtMs === null ? null : settingsText.checkedAt(<Time ms={endedAtMs} />)}
          </p>
          {phase === 'running' ? <Meter label={settingsText.checkProgress} value={done} max={rows.length} /> : null}
          {waitsUntilMs === null ? null : <p className={textStyles.muted}>{settingsText.serviceAskedToWait}</p>}
          {failed == null ? null : <FailureNote failure={failureOf(failed)} />}
          {phase === 'running' ? null : (
            <Switch checked={dryRuns} onChange={setDryRuns}>
              {settingsText.includeDryRuns}
            </Switch>
          )}
          {dryRuns && phase !== 'running' ? <Note tone="warn">{settingsText.dryRunsTrustService}</Note> : null}
          {phase === 'running' ? null : <ServiceCheckTops />}
          {rows.length === 0 ? null : (
            <>
              <Switch checked={onlyOpen} onChange={setOnlyOpen}>
                {settingsText.needsAttention}
              </Switch>
              <Checkbox checked={withWallet} onChange={setWithWallet}>
                {settingsText.includeWalletAddress}
              </Checkbox>
            </>
          )}
        </div>
        <ul className={cx(styles.settingsList, styles.checkList)} aria-label={settingsText.serviceCheckResults}>
          {shown.map((row) => {
            const { tone, icon, word } = outcomeText(row.outcome)
            const open = opened === row.id
            const unread = unreadText(row)
            return (
              <li key={row.id}>
                <div className={styles.checkRow}>
                  <div className={textStyles.grow}>
                    <code>{rowName(row)}</code>
                    {unread === null ? null : <p className={textStyles.muted}>{unread}</p>}
                  </div>
                  {row.fields === 0 ? null : <span className={textStyles.muted}>{settingsText.readOfFields(row.read, row.fields)}</span>}
                  <State tone={tone} icon={icon}>
                    {word}
                    {row.scope === null ? '' : ` (${row.scope})`}
                  </State>
                  <Button
                    size="xs"
                    aria-expanded={open}
                    disabled={row.checkedAtMs === null}
                    aria-label={(open ? settingsText.hideResultOf : settingsText.showResultOf)(rowName(row))}
                    onClick={() => setOpened(open ? null : row.id)}
                  >
                    {open ? settingsText.hideResult : settingsText.showResult}
                  </Button>
                </div>
                {open ? <ServiceCheckDetail id={row.id} /> : null}
              </li>
            )
          })}
        </ul>
      </Panel>
    </div>
  )
}

/** For each field that the check did not find in a response, lists the most likely place. The user accepts all of them at once. */
function ServiceCheckTops() {
  const { data } = useIpcQuery('serviceCheck.tops', {})
  const accept = useIpcCommand('serviceCheck.acceptTops')
  const [listed, setListed] = useState(false)
  const tops = data?.tops ?? []
  const failure = accept.error === null ? null : <FailureNote failure={failureOf(accept.error)} />
  if (tops.length === 0)
    return (
      <>
        {accept.data === undefined ? null : <p role="status">{settingsText.fieldsAccepted(accept.data.accepted)}</p>}
        {failure}
      </>
    )
  if (!listed)
    return (
      <div>
        <Button size="sm" onClick={() => setListed(true)}>
          {settingsText.acceptAllTopCandidates(tops.length)}
        </Button>
        {failure}
      </div>
    )
  const places = tops.map(({ resource, field, path }) => ({ resource, field, path }))
  return (
    <section className={styles.checkField} aria-label={settingsText.topCandidates}>
      <b>{settingsText.topCandidatesLead}</b>
      <ul>
        {tops.map(({ resource, field, path, preview }) => (
          <CheckPlace key={`${resource}.${field}`} before={`${resource}: ${field}`} path={path} preview={preview} />
        ))}
      </ul>
      <span className={styles.settingsActions}>
        <Button size="sm" onClick={() => setListed(false)}>
          {settingsText.cancel}
        </Button>
        <Button size="sm" variant="primary" busy={accept.isPending} onClick={() => accept.mutate({ tops: places }, { onSettled: () => setListed(false) })}>
          {settingsText.acceptCandidates(tops.length)}
        </Button>
      </span>
      {failure}
    </section>
  )
}
