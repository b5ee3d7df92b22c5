import { useRef, useState } from 'react'
import type { BotRow } from '../../../../shared/ipc/keys/gateway.ts'
import { limitCount } from '../../../../shared/limits-draft.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand } from '../../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import { State } from '../../../kit/layout/state.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import { shorten } from '../../../kit/number.tsx'
import { Menu } from '../../../kit/overlay/menu.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { usePauseBots } from '../../../parts/pause-bots.ts'
import { keysText } from '../../../text/en/keys.en.tsx'
import { modeWords, refusedWords, stateWords } from './bot-words.ts'
import styles from './gateway.module.css'

/** A row for each bot with its live figures and what the user can do with it. */
export function BotTable({ bots, isOn }: { readonly bots: readonly BotRow[]; readonly isOn: boolean }) {
  const toast = useToast()
  const { pause, pausing, error } = usePauseBots()
  const resume = useIpcCommand('gateway.resume')
  const [revoked, setRevoked] = useState<BotRow | null>(null)
  const failed = error ?? resume.error
  const hasWallets = new Set(bots.map(({ wallet }) => wallet)).size > 1
  return (
    <div className={styles.botTable}>
      {failed === null ? null : <FailureNote failure={failureOf(failed)} />}
      <Table label={keysText.bots}>
        <thead>
          <tr>
            <HeadCell>{keysText.bot}</HeadCell>
            <HeadCell>{keysText.key}</HeadCell>
            <HeadCell>{keysText.botState}</HeadCell>
            <HeadCell numeric>{keysText.callRate}</HeadCell>
            <HeadCell numeric>{keysText.latency}</HeadCell>
            <HeadCell numeric>{keysText.refusedCalls}</HeadCell>
            <HeadCell numeric>{keysText.botOrders}</HeadCell>
            <HeadCell>
              <span className={textStyles.screenReaderOnly}>{keysText.actions}</span>
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {bots.map((bot) => (
            <Row
              key={bot.id}
              bot={bot}
              isOn={isOn}
              hasWallets={hasWallets}
              busy={pausing === bot.id || (resume.isPending && resume.variables.botId === bot.id)}
              onPause={() => pause(bot.id)}
              onResume={() =>
                resume.mutate(
                  { botId: bot.id },
                  { onSuccess: () => toast({ tone: 'ok', title: keysText.botResumed(bot.label), text: keysText.botResumedDetail, action: null }) },
                )
              }
              onRevoke={() => setRevoked(bot)}
            />
          ))}
        </tbody>
      </Table>
      {revoked === null ? null : <RevokeBotSheet bot={revoked} onClose={() => setRevoked(null)} />}
    </div>
  )
}

interface RowProps {
  readonly bot: BotRow
  readonly isOn: boolean
  /** Whether the bots belong to several wallets, so that each row names its own. */
  readonly hasWallets: boolean
  readonly busy: boolean
  readonly onPause: () => void
  readonly onResume: () => void
  readonly onRevoke: () => void
}

function Row({ bot, isOn, hasWallets, busy, onPause, onResume, onRevoke }: RowProps) {
  const navigate = useNavigate()
  const { id, label, wallet, keyId, keyLabel, scopes, policy, state, expiresAtMs, lastUsedAtMs, callsPerSecond, errors, latencyMs, orders, unknown } = bot
  const { tone, icon, word, detail } = stateWords[state]
  const refused = refusedWords(bot.refused)
  const limits = limitCount(policy)
  const isOff = state === 'running' && !isOn
  return (
    <tr>
      <td className={styles.botName}>
        <span className={cx(textStyles.name, textStyles.cut)} title={label}>
          <VisibleText text={label} />
        </span>
        <span className={cx(tableStyles.sub, textStyles.cut)} title={`${modeWords[policy.mode].detail}\n${id}`}>
          {modeWords[policy.mode].word}
          {policy.mode === 'observe' ? null : ` · ${limits === 0 ? keysText.noBotLimits : keysText.limitsSet(limits)}`} · <code>{id.slice(0, 6)}</code>
        </span>
      </td>
      <td className={styles.botKey}>
        <span className={textStyles.cut} title={scopes.join('\n')}>
          <Link to={`keys/${encodeURIComponent(keyId)}`}>{keyLabel ?? keyId}</Link>
          {hasWallets ? <code> {shorten(wallet)}</code> : null}
        </span>
        <span className={cx(tableStyles.sub, textStyles.cut)}>
          {expiresAtMs === null
            ? keysText.tokenNeverEnds
            : state === 'expired'
              ? keysText.tokenEnded(<Time ms={expiresAtMs} />)
              : keysText.tokenEnds(<Time ms={expiresAtMs} />)}
        </span>
      </td>
      <td>
        <State tone={isOff ? 'off' : tone} icon={isOff ? 'pause' : icon} title={isOff ? keysText.gatewayOffDetail : detail}>
          {isOff ? keysText.gatewayIsOff : word}
        </State>
        <span className={tableStyles.sub}>{lastUsedAtMs === null ? keysText.neverUsed : keysText.usedAt(<Time ms={lastUsedAtMs} />)}</span>
      </td>
      <td className={textStyles.right}>
        {callsPerSecond.toFixed(1)}
        <span className={cx(tableStyles.sub, errors === 0 ? undefined : textStyles.warn)} title={keysText.sinceGatewayStart}>
          {keysText.callErrors(errors)}
        </span>
      </td>
      <td className={textStyles.right}>{latencyMs === null ? <span className={textStyles.muted}>—</span> : keysText.milliseconds(Math.round(latencyMs))}</td>
      <td className={textStyles.right} title={refused.count === 0 ? keysText.sinceGatewayStart : refused.all}>
        {refused.count}
        {refused.most === null ? null : <span className={tableStyles.sub}>{refused.most}</span>}
      </td>
      <td className={textStyles.right} title={keysText.sinceGatewayStart}>
        {orders}
        {unknown === 0 ? null : (
          <span className={cx(tableStyles.sub, textStyles.warn)} title={keysText.unknownOutcomesDetail}>
            {keysText.unknownOutcomes(unknown)}
          </span>
        )}
      </td>
      <td className={tableStyles.actions}>
        <span>
          {state === 'paused' ? (
            <Button size="xs" icon="play" busy={busy} aria-label={keysText.resumeBotNamed(label)} onClick={onResume}>
              {keysText.resumeBot}
            </Button>
          ) : state === 'expired' ? null : (
            <Button size="xs" icon="pause" busy={busy} aria-label={keysText.pauseBotNamed(label)} onClick={onPause}>
              {keysText.pauseBot}
            </Button>
          )}
          <Menu
            label={keysText.actionsFor(label)}
            align="end"
            entries={[
              { label: keysText.editPolicy, icon: 'shield', onSelect: () => navigate(`keys/gateway/${id}`) },
              { type: 'separator' },
              { label: keysText.revokeBot, icon: 'trash', danger: true, onSelect: onRevoke },
            ]}
            trigger={(props) => <IconButton icon="more" size="xs" label={keysText.actionsFor(label)} {...props} />}
          />
        </span>
      </td>
    </tr>
  )
}

/** Asks once before a bot's token ends for good. */
function RevokeBotSheet({ bot: { id, label }, onClose }: { readonly bot: BotRow; readonly onClose: () => void }) {
  const toast = useToast()
  const keep = useRef<HTMLButtonElement>(null)
  const revoke = useIpcCommand('gateway.revoke')
  const press = () =>
    revoke.mutate(
      { botId: id },
      {
        onSuccess: () => {
          toast({ tone: 'ok', title: keysText.botRevoked(label), text: keysText.botRevokedDetail, action: null })
          onClose()
        },
      },
    )
  return (
    <Sheet title={keysText.revokeBotNamed(label)} icon="warn" tone="danger" onClose={onClose} initialFocus={keep} alert className={overlayStyles.narrow}>
      <div className={overlayStyles.sheetBody}>
        <p className={textStyles.secondary}>{keysText.revokeBotEffect}</p>
        {revoke.error === null ? null : <FailureNote failure={failureOf(revoke.error)} />}
      </div>
      <SheetFoot>
        <Button ref={keep} onClick={onClose} kbd={[keysText.esc]}>
          {keysText.keepBot}
        </Button>
        <Button variant="danger-fill" icon="trash" busy={revoke.isPending} onClick={press}>
          {keysText.revokeBot}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
