import { useState } from 'react'
import type { PanicRow, PanicState } from '../../../../shared/ipc/intents/kill-switch.ts'
import { bulkDetailText } from '../../../../shared/text/kill-switch-text.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import { Meter } from '../../../kit/layout/meter.tsx'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { State, type StateTone } from '../../../kit/layout/state.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { CodeId } from '../../../kit/visible-text.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { useWallet } from '../../../signing/wallet/wallet-provider.tsx'
import keysStyles from '../keys.module.css'
import panicStyles from './panic.module.css'

type Known = Exclude<PanicState, { state: 'idle' }>

const looks: Readonly<Record<PanicRow['outcome'], { readonly tone: StateTone; readonly icon: IconName; readonly word: string }>> = {
  waiting: { tone: 'off', icon: 'hourglass', word: 'Waiting' },
  revoked: { tone: 'ok', icon: 'check', word: 'Revoked' },
  refused: { tone: 'danger', icon: 'x', word: 'Refused' },
  unknown: { tone: 'warn', icon: 'unknown', word: 'No answer yet' },
}

const many = (count: number): string => `${count} ${count === 1 ? 'key' : 'keys'}`

/** After a start the wallet comes back by itself: until main knows it again, going on would only be refused. */
function useWalletReturns(): boolean {
  const kind = useWallet((wallet) => wallet.status.kind)
  const shown = useDeskQuery('wallet.shown', {})
  return kind === 'restoring' || (kind === 'connected' && shown.data?.connected !== true)
}

/** Why it stopped, and the one thing that helps. */
function Stopped({ panic, busy, onResume }: { readonly panic: Known; readonly busy: boolean; readonly onResume: () => void }) {
  const navigate = useNavigate()
  const returns = useWalletReturns()
  const goOn = (
    <Button size="sm" variant="danger-fill" icon="play" busy={busy || returns} onClick={onResume}>
      Go on
    </Button>
  )
  const left = `${many(panic.left)} still ${panic.left === 1 ? 'works' : 'work'}.`
  switch (panic.waitsFor) {
    case 'sign_in':
      return (
        <Note
          tone="danger"
          live
          title={`The sign-in has ended. ${left}`}
          end={
            <span className={keysStyles.actions}>
              <Button size="sm" icon="user" onClick={() => navigate('sign-in')}>
                Sign in
              </Button>
              {goOn}
            </span>
          }
        >
          Sign in again, then go on.
        </Note>
      )
    case 'wallet':
      return (
        <Note
          tone="danger"
          live
          title={`Their wallet is not connected. ${left}`}
          end={
            <span className={keysStyles.actions}>
              <Button size="sm" icon="phone" onClick={() => navigate('connect')}>
                Connect
              </Button>
              {goOn}
            </span>
          }
        >
          Connect the wallet that the keys belong to, sign in, then go on.
        </Note>
      )
    case 'service':
      return (
        <Note tone="danger" live title={`The service gave no answer. ${left}`} end={goOn}>
          It was asked five times. Asking again is safe.
        </Note>
      )
    default:
      return (
        <Note tone="danger" live title={`It was interrupted. ${left}`} end={goOn}>
          What was answered for is written down; only the rest is asked again.
        </Note>
      )
  }
}

/** How a panic goes, key by key, while it runs and after. */
export function PanicReport({ panic, onAgain }: { readonly panic: Known; readonly onAgain: () => void }) {
  const navigate = useNavigate()
  const report = useDeskQuery('panic.report', {})
  const resume = useDeskCommand('panic.resume')
  const save = useDeskCommand('panic.saveReport')
  const [saved, setSaved] = useState<string | null>(null)
  const rows = report.data ?? []
  const answered = panic.total - panic.left
  const leftBehind = rows.filter((row) => row.leftInKeychain).length
  const failed = resume.error ?? save.error
  const done = panic.state === 'done'
  return (
    <>
      {panic.state === 'stopped' ? <Stopped panic={panic} busy={resume.isPending} onResume={() => resume.mutate({})} /> : null}
      {failed === null ? null : <FailureNote failure={failureOf(failed)} />}
      <section className={cx(panelStyles.panel, panicStyles.revokeAllList)} aria-label="What became of each key">
        <div className={cx(panelStyles.panelHead, panelStyles.ruled)}>
          <h2 role="status">
            {done
              ? panic.refused === 0
                ? `${panic.revoked === panic.total ? (panic.total === 1 ? 'The key is' : `All ${panic.total} keys are`) : `${many(panic.revoked)} are`} revoked`
                : `${panic.revoked} of ${many(panic.total)} revoked, ${panic.refused} refused`
              : panic.state === 'running'
                ? `Revoking, ${answered} of ${panic.total}`
                : `Stopped at ${answered} of ${panic.total}`}
          </h2>
          <span className={textStyles.muted}>
            <Time ms={done ? (panic.endedAtMs ?? panic.startedAtMs) : panic.startedAtMs} />
          </span>
          <span className={panelStyles.end}>
            <Button
              size="sm"
              icon="download"
              busy={save.isPending}
              disabled={rows.length === 0}
              onClick={() => save.mutate({}, { onSuccess: ({ path }) => setSaved(path) })}
            >
              Save the report
            </Button>
            {done ? (
              <>
                <Button size="sm" variant="ghost" onClick={onAgain}>
                  Revoke others
                </Button>
                <Button size="sm" variant="primary" onClick={() => navigate('keys')}>
                  Back to the keys
                </Button>
              </>
            ) : null}
          </span>
        </div>
        <Meter
          label={`${answered} of ${panic.total} answered for`}
          value={answered}
          max={panic.total}
          tone={panic.state === 'stopped' ? 'danger' : done && panic.refused === 0 ? 'ok' : 'warn'}
        />
        {saved === null ? null : (
          <Note tone="ok" live title="Saved.">
            <code>{saved}</code>
          </Note>
        )}
        <Table label="Outcome of each key">
          <thead>
            <tr>
              <HeadCell>Key</HeadCell>
              <HeadCell>Outcome</HeadCell>
              <HeadCell>In words</HeadCell>
              <HeadCell>Request</HeadCell>
              <HeadCell numeric>When</HeadCell>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const { tone, icon, word } = looks[row.outcome]
              return (
                <tr key={row.keyId}>
                  <td>
                    <span className={cx(keysStyles.keyName, panicStyles.keyName, textStyles.name)}>
                      <Link to={`keys/${row.keyId}`} title={row.label}>
                        {row.label}
                      </Link>
                    </span>
                    <CodeId className={tableStyles.sub} id={row.keyId} />
                  </td>
                  <td>
                    <State tone={tone} icon={icon}>
                      {word}
                    </State>
                  </td>
                  <td className={panicStyles.revokeAllWords}>
                    {row.detail === null && row.leftInKeychain ? 'Its secret is still in the keychain, worth nothing any more.' : bulkDetailText(row.detail)}
                  </td>
                  <td>
                    {row.requestId === null ? (
                      <span className={textStyles.muted}>—</span>
                    ) : (
                      <span className={panicStyles.revokeAllId}>
                        <code>{row.requestId}</code>
                        <CopyButton text={row.requestId} what="request id" />
                      </span>
                    )}
                  </td>
                  <td className={cx(textStyles.right, textStyles.muted)}>
                    <Time ms={row.atMs} form="clock" />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </Table>
      </section>
      {leftBehind === 0 ? null : (
        <Note tone="neutral" title={`${leftBehind} ${leftBehind === 1 ? 'secret is' : 'secrets are'} still in the keychain.`}>
          The keys are revoked, so they are worth nothing. They are removed as soon as the keychain answers.
        </Note>
      )}
    </>
  )
}
