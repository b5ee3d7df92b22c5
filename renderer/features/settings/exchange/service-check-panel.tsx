import { useState } from 'react'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
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
import styles from '../settings.module.css'
import { CheckPlace, needsAttention, outcomeText, resultText, rowName, ServiceCheckDetail } from './service-check-detail.tsx'

/** Reads, previews and prepares everything once, and shows what of the answers the app understands. */
export function ServiceCheckPanel() {
  const { data } = useDeskQuery('serviceCheck.state', {})
  const start = useDeskCommand('serviceCheck.start')
  const cancel = useDeskCommand('serviceCheck.cancel')
  const save = useDeskCommand('serviceCheck.save')
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
        title="Service check"
        end={
          <span className={styles.settingsActions}>
            {phase === 'running' ? (
              <Button size="sm" busy={cancel.isPending} onClick={() => cancel.mutate({})}>
                Stop check
              </Button>
            ) : (
              <Button size="sm" variant="primary" busy={start.isPending} onClick={() => begin(phase === 'done' ? 'again' : 'resume')}>
                {phase === 'none' ? 'Check service' : phase === 'stopped' ? 'Resume check' : 'Check again'}
              </Button>
            )}
            {rows.length === 0 ? null : (
              <Button size="sm" icon="download" busy={save.isPending} onClick={() => save.mutate({ wallet: withWallet })}>
                Save report
              </Button>
            )}
          </span>
        }
      >
        <div className={cx(styles.settingsNote, styles.checkHead)}>
          <p className={textStyles.muted}>
            Reads every route your keys allow, previews an order and prepares each action. Nothing is signed, sent or carried out.
          </p>
          <p role="status">
            {resultText(data)}{' '}
            {endedAtMs === null ? null : (
              <>
                Checked <Time ms={endedAtMs} />
              </>
            )}
          </p>
          {phase === 'running' ? <Meter label="Progress of the check" value={done} max={rows.length} /> : null}
          {waitsUntilMs === null ? null : <p className={textStyles.muted}>The service asked to wait. The check goes on automatically.</p>}
          {failed == null ? null : <FailureNote failure={failureOf(failed)} />}
          {phase === 'running' ? null : (
            <Switch checked={dryRuns} onChange={setDryRuns}>
              Include dry runs of delegated actions
            </Switch>
          )}
          {dryRuns && phase !== 'running' ? (
            <Note tone="warn">Dry runs trust the service not to act. The first one cancels an order that does not exist.</Note>
          ) : null}
          {phase === 'running' ? null : <ServiceCheckTops />}
          {rows.length === 0 ? null : (
            <>
              <Switch checked={onlyOpen} onChange={setOnlyOpen}>
                Needs attention
              </Switch>
              <Checkbox checked={withWallet} onChange={setWithWallet}>
                Put my wallet’s address in the report
              </Checkbox>
            </>
          )}
        </div>
        <ul className={cx(styles.settingsList, styles.checkList)} aria-label="Results of the service check">
          {shown.map((row) => {
            const { tone, icon, word } = outcomeText(row.outcome)
            const open = opened === row.id
            return (
              <li key={row.id}>
                <div className={styles.checkRow}>
                  <code className={textStyles.grow}>{rowName(row)}</code>
                  {row.fields === 0 ? null : (
                    <span className={textStyles.muted}>
                      {row.read} of {row.fields}
                    </span>
                  )}
                  <State tone={tone} icon={icon}>
                    {word}
                    {row.scope === null ? '' : ` (${row.scope})`}
                  </State>
                  <Button
                    size="xs"
                    aria-expanded={open}
                    disabled={row.checkedAtMs === null}
                    aria-label={`${open ? 'Hide' : 'Show'} ${rowName(row)}`}
                    onClick={() => setOpened(open ? null : row.id)}
                  >
                    {open ? 'Hide' : 'Show'}
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

/** Accepts the first candidate of every missing field at once, after a list of them. */
function ServiceCheckTops() {
  const { data } = useDeskQuery('serviceCheck.tops', {})
  const accept = useDeskCommand('serviceCheck.acceptTops')
  const [listed, setListed] = useState(false)
  const tops = data?.tops ?? []
  const failure = accept.error === null ? null : <FailureNote failure={failureOf(accept.error)} />
  if (tops.length === 0)
    return (
      <>
        {accept.data === undefined ? null : <p role="status">{`${accept.data.accepted} accepted. Undo or reset them in the field map below.`}</p>}
        {failure}
      </>
    )
  if (!listed)
    return (
      <div>
        <Button size="sm" onClick={() => setListed(true)}>
          {`Accept all top candidates (${tops.length})`}
        </Button>
        {failure}
      </div>
    )
  const places = tops.map(({ resource, field, path }) => ({ resource, field, path }))
  return (
    <section className={styles.checkField} aria-label="Top candidates">
      <b>These fields will be read from here</b>
      <ul>
        {tops.map(({ resource, field, path, preview }) => (
          <CheckPlace key={`${resource}.${field}`} before={`${resource}: ${field}`} path={path} preview={preview} />
        ))}
      </ul>
      <span className={styles.settingsActions}>
        <Button size="sm" onClick={() => setListed(false)}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" busy={accept.isPending} onClick={() => accept.mutate({ tops: places }, { onSettled: () => setListed(false) })}>
          {`Accept ${tops.length}`}
        </Button>
      </span>
      {failure}
    </section>
  )
}
