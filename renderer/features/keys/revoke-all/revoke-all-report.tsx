import { useState } from 'react'
import type { RevokeAllRow, RevokeAllState } from '../../../../shared/ipc/intents/kill-switch.ts'
import { bulkDetailText } from '../../../../shared/text/kill-switch-text.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
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
import { keysText } from '../../../text/en/keys.en.tsx'
import keysStyles from '../keys.module.css'
import revokeAllStyles from './revoke-all.module.css'

type Known = Exclude<RevokeAllState, { state: 'idle' }>

const looks: Readonly<Record<RevokeAllRow['outcome'], { readonly tone: StateTone; readonly icon: IconName; readonly word: string }>> = {
  waiting: { tone: 'off', icon: 'hourglass', word: keysText.waiting },
  revoked: { tone: 'ok', icon: 'check', word: keysText.revoked },
  refused: { tone: 'danger', icon: 'x', word: keysText.refused },
  unknown: { tone: 'warn', icon: 'unknown', word: keysText.noAnswerYet },
}

/**
 * Whether the wallet is still reconnecting after the app's start. Meanwhile, the Continue button is disabled, because the revocation can't continue
 * without a wallet.
 */
function useWalletReturns(): boolean {
  const kind = useWallet((wallet) => wallet.status.kind)
  const shown = useIpcQuery('wallet.shown', {})
  return kind === 'restoring' || (kind === 'connected' && shown.data?.connected !== true)
}

/** Shown if the revocation of all keys stopped early. States why it stopped and how the user can continue. */
function Stopped({ revokeAll, busy, onResume }: { readonly revokeAll: Known; readonly busy: boolean; readonly onResume: () => void }) {
  const navigate = useNavigate()
  const returns = useWalletReturns()
  const goOn = (
    <Button size="sm" variant="danger-fill" icon="play" busy={busy || returns} onClick={onResume}>
      {keysText.continue}
    </Button>
  )
  const { left } = revokeAll
  switch (revokeAll.waitsFor) {
    case 'sign_in':
      return (
        <Note
          tone="danger"
          live
          title={keysText.stoppedSignIn(left)}
          end={
            <span className={keysStyles.actions}>
              <Button size="sm" icon="user" onClick={() => navigate('sign-in')}>
                {keysText.signIn}
              </Button>
              {goOn}
            </span>
          }
        >
          {keysText.stoppedSignInAdvice}
        </Note>
      )
    case 'wallet':
      return (
        <Note
          tone="danger"
          live
          title={keysText.stoppedWallet(left)}
          end={
            <span className={keysStyles.actions}>
              <Button size="sm" icon="phone" onClick={() => navigate('connect')}>
                {keysText.connectWallet}
              </Button>
              {goOn}
            </span>
          }
        >
          {keysText.stoppedWalletAdvice}
        </Note>
      )
    case 'service':
      return (
        <Note tone="danger" live title={keysText.stoppedService(left)} end={goOn}>
          {keysText.stoppedServiceAdvice}
        </Note>
      )
    default:
      return (
        <Note tone="danger" live title={keysText.stoppedInterrupted(left)} end={goOn}>
          {keysText.stoppedInterruptedAdvice}
        </Note>
      )
  }
}

/** The progress and the result of revoking all keys, with one row per key. */
export function RevokeAllReport({ revokeAll, onAgain }: { readonly revokeAll: Known; readonly onAgain: () => void }) {
  const navigate = useNavigate()
  const report = useIpcQuery('revokeAll.report', {})
  const resume = useIpcCommand('revokeAll.resume')
  const save = useIpcCommand('revokeAll.saveReport')
  const [saved, setSaved] = useState<string | null>(null)
  const rows = report.data ?? []
  const answered = revokeAll.total - revokeAll.left
  const leftBehind = rows.filter((row) => row.leftInKeychain).length
  const failed = resume.error ?? save.error
  const done = revokeAll.state === 'done'
  return (
    <>
      {revokeAll.state === 'stopped' ? <Stopped revokeAll={revokeAll} busy={resume.isPending} onResume={() => resume.mutate({})} /> : null}
      {failed === null ? null : <FailureNote failure={failureOf(failed)} />}
      <section className={cx(panelStyles.panel, revokeAllStyles.revokeAllList)} aria-label={keysText.keyResults}>
        <div className={cx(panelStyles.panelHead, panelStyles.ruled)}>
          <div role="status">
            <h2>
              {done
                ? revokeAll.refused === 0
                  ? revokeAll.revoked === revokeAll.total
                    ? keysText.allKeysRevoked(revokeAll.total)
                    : keysText.someKeysRevoked(revokeAll.revoked)
                  : keysText.revokedAndRefused(revokeAll.revoked, revokeAll.total, revokeAll.refused)
                : revokeAll.state === 'running'
                  ? keysText.revokingProgress(answered, revokeAll.total)
                  : keysText.stoppedProgress(answered, revokeAll.total)}
            </h2>
          </div>
          <span className={textStyles.muted}>
            <Time ms={done ? (revokeAll.endedAtMs ?? revokeAll.startedAtMs) : revokeAll.startedAtMs} />
          </span>
          <span className={panelStyles.end}>
            <Button
              size="sm"
              icon="download"
              busy={save.isPending}
              disabled={rows.length === 0}
              onClick={() => save.mutate({}, { onSuccess: ({ path }) => setSaved(path) })}
            >
              {keysText.saveReport}
            </Button>
            {done ? (
              <>
                <Button size="sm" variant="ghost" onClick={onAgain}>
                  {keysText.revokeOthers}
                </Button>
                <Button size="sm" variant="primary" onClick={() => navigate('keys')}>
                  {keysText.backToKeys}
                </Button>
              </>
            ) : null}
          </span>
        </div>
        <Meter
          label={keysText.keysDone(answered, revokeAll.total)}
          value={answered}
          max={revokeAll.total}
          tone={revokeAll.state === 'stopped' ? 'danger' : done && revokeAll.refused === 0 ? 'ok' : 'warn'}
        />
        {saved === null ? null : (
          <Note tone="ok" live title={keysText.saved}>
            <code>{saved}</code>
          </Note>
        )}
        <Table label={keysText.keyResults}>
          <thead>
            <tr>
              <HeadCell>{keysText.key}</HeadCell>
              <HeadCell>{keysText.result}</HeadCell>
              <HeadCell>{keysText.details}</HeadCell>
              <HeadCell>{keysText.request}</HeadCell>
              <HeadCell numeric>{keysText.when}</HeadCell>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const { tone, icon, word } = looks[row.outcome]
              return (
                <tr key={row.keyId}>
                  <td>
                    <span className={cx(keysStyles.keyName, revokeAllStyles.keyName, textStyles.name)}>
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
                  <td className={revokeAllStyles.revokeAllWords}>
                    {row.detail === null && row.leftInKeychain ? keysText.secretStillInKeychain : bulkDetailText(row.detail)}
                  </td>
                  <td>
                    {row.requestId === null ? (
                      <span className={textStyles.muted}>—</span>
                    ) : (
                      <span className={revokeAllStyles.revokeAllId}>
                        <code>{row.requestId}</code>
                        <CopyButton text={row.requestId} what={keysText.requestId} />
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
        <Note tone="neutral" title={keysText.secretsStillInKeychain(leftBehind)}>
          {keysText.secretsStillInKeychainDetail}
        </Note>
      )}
    </>
  )
}
