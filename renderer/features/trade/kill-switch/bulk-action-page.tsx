import { useState } from 'react'
import type { BulkActionBy, BulkActionKind, KnownBulkAction } from '../../../../shared/ipc/intents/kill-switch.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import { bulkActionPhrases } from '../../../../shared/phrases.ts'
import { isWaiting } from '../../../../shared/positions.ts'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Icon, type IconName } from '../../../kit/icons/icon.tsx'
import { Link, useNavigate, usePlace } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Segments } from '../../../kit/layout/tabs.tsx'
import textStyles from '../../../kit/text.module.css'
import { keptFromKey, PublicNote } from '../../../parts/account-source.tsx'
import { ConfirmName } from '../../../parts/confirm-name.tsx'
import { FailureNote, FailurePanel } from '../../../parts/failure-note.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import { missingText, ordersCutText } from '../../../text/page-cut-text.ts'
import styles from './bulk-action.module.css'
import { BulkActionProgress } from './bulk-action-progress.tsx'
import { kindTitle, kindVerb } from './bulk-action-table.tsx'

/**
 * The page of a bulk action: cancels all orders, closes all positions, or does both and then revokes the keys (kill switch).
 * First the user chooses and confirms; then the page shows each step's progress, and the report.
 */
export function BulkActionPage() {
  const bulkAction = useIpcQuery('bulkActions.state', {}, { every: second })
  // Keep the report of a finished bulk action on screen until the user leaves the page or starts another bulk action.
  const [shownId, setShownId] = useState<string | null>(null)
  const known: KnownBulkAction | null = bulkAction.data === undefined || bulkAction.data.state === 'idle' ? null : bulkAction.data
  const open = known !== null && (known.state === 'open' || known.id === shownId)
  if (open && known.id !== shownId) setShownId(known.id)
  return (
    <div className={panelStyles.page}>
      <div className={panelStyles.pageHead}>
        <span className={panelStyles.crumb}>
          <Link to="trade">{tradeText.trade}</Link>
          <Icon name="chevron-right" />
          <h1>{tradeText.bulkActions}</h1>
        </span>
      </div>
      {bulkAction.data === undefined ? (
        bulkAction.error === null ? null : (
          <FailurePanel failure={failureOf(bulkAction.error)} onRetry={() => void bulkAction.refetch()} retrying={bulkAction.isFetching} />
        )
      ) : open ? (
        <BulkActionProgress bulkAction={known} onAgain={() => setShownId(null)} />
      ) : (
        <BulkActionChoose last={known} onStarted={(started) => setShownId(started.id)} onShowLast={() => setShownId(known?.id ?? null)} />
      )}
    </div>
  )
}

const kinds = ['cancel_all', 'close_all', 'kill'] as const

interface ChooseProps {
  readonly last: KnownBulkAction | null
  readonly onStarted: (bulkAction: KnownBulkAction) => void
  readonly onShowLast: () => void
}

const mayCarryOut = ({ executor, scopes, secret }: KeySummary): boolean =>
  executor !== null &&
  (secret === 'keychain' || secret === 'memory') &&
  (scopes === null || (scopes.includes('trade:execute') && scopes.includes('orders:manage')))

/** Shows the orders and positions that the bulk action will end, who signs, and the order of steps. The user confirms everything once. */
function BulkActionChoose({ last, onStarted, onShowLast }: ChooseProps) {
  const place = usePlace()
  const navigate = useNavigate()
  const asked = kinds.find((one) => one === place.query.what)
  const [kind, setKind] = useState<BulkActionKind>(asked ?? 'kill')
  const [executor, setExecutor] = useState<string | null>(null)
  const [confirms, setConfirms] = useState(false)
  const orders = useIpcQuery('account.orders', { watch: null }, { every: 4 * second })
  const positions = useIpcQuery('account.positions', { watch: null }, { every: 4 * second })
  const list = useIpcQuery('keys.list', {})
  const start = useIpcCommand('bulkActions.start')
  const cut = orders.data?.cut ?? null
  const waiting = orders.data?.orders.filter(isWaiting).length ?? null
  const held = positions.data?.positions.length ?? null
  const positionsMissing = positions.data === undefined ? null : missingText(positions.data.missing, 'position')
  const keys = list.data?.keys.filter(isLiveKey) ?? null
  const able = keys?.filter(mayCarryOut) ?? []
  const unread = [orders, positions].find(({ data, error }) => data === undefined && error !== null)
  const why = keptFromKey(positions.data?.source)
  const by: BulkActionBy = executor === null ? { way: 'wallet' } : { way: 'executor', keyId: executor }
  const nothing = (kind === 'cancel_all' && waiting === 0 && cut === null) || (kind === 'close_all' && held === 0 && positionsMissing === null)
  const go = () =>
    start.mutate(
      { kind, by, keyIds: kind === 'kill' ? (keys ?? []).map(({ id }) => id) : [], typed: bulkActionPhrases[kind] },
      {
        onSuccess: (bulkAction) => {
          setConfirms(false)
          if (bulkAction.state !== 'idle') onStarted(bulkAction)
        },
      },
    )
  return (
    <>
      <section className={panelStyles.panel} aria-label={tradeText.whatToStop}>
        <div className={cx(panelStyles.panelHead, panelStyles.ruled)}>
          <Segments
            label={tradeText.whatToStop}
            size="md"
            value={kind}
            onChange={setKind}
            choices={kinds.map((value) => ({ value, label: kindTitle[value] }))}
          />
          <span className={panelStyles.end}>
            {last === null ? null : (
              <Button size="sm" variant="ghost" icon="doc" onClick={onShowLast}>
                {tradeText.lastReport}
              </Button>
            )}
          </span>
        </div>
        <ol className={styles.bulkActionWhat} aria-label={tradeText.whatWillHappen}>
          {kind === 'close_all' ? null : (
            <What icon="x" title={tradeText.ordersToCancel(waiting)}>
              {executor === null ? tradeText.oneTransactionPerOrder : tradeText.inBatches}
              {cut === null ? null : <b className={textStyles.warn}> {ordersCutText(cut)}</b>}
            </What>
          )}
          {kind === 'cancel_all' ? null : (
            <What icon="undo" title={tradeText.positionsToClose(held)}>
              {tradeText.closedAtMarket(executor === null ? tradeText.oneSignaturePerPosition : tradeText.inBatches)}
              {positionsMissing === null ? null : <b className={textStyles.warn}> {positionsMissing}</b>}
            </What>
          )}
          {kind !== 'kill' ? null : keys === null ? (
            <What icon="nokey" title={tradeText.keysUnchanged}>
              {tradeText.keysNeedSignIn}{' '}
              <Button size="xs" icon="user" onClick={() => navigate('sign-in')}>
                {tradeText.signIn}
              </Button>
            </What>
          ) : (
            <What icon="nokey" title={tradeText.activeKeysToRevoke(keys.length)}>
              {tradeText.keysRevokedLast}
            </What>
          )}
        </ol>
        {able.length === 0 ? null : (
          <div className={styles.bulkActionBy}>
            <span className={controlsStyles.label} id="swp-by">
              {tradeText.executedBy}
            </span>
            <Segments
              label={tradeText.executedBy}
              value={executor ?? 'wallet'}
              onChange={(value) => setExecutor(value === 'wallet' ? null : value)}
              choices={[{ value: 'wallet', label: tradeText.yourWallet }, ...able.map(({ id, label }) => ({ value: id, label: tradeText.executorOf(label) }))]}
            />
          </div>
        )}
        <div className={styles.bulkActionFoot}>
          <p className={textStyles.muted}>{tradeText.stepsHelp}</p>
          <Button onClick={() => navigate('trade')}>{tradeText.leaveOpen}</Button>
          <Button variant="danger-fill" icon="stop" disabled={nothing} onClick={() => setConfirms(true)}>
            {kindVerb[kind]}…
          </Button>
        </div>
      </section>
      {unread === undefined ? null : <FailureNote failure={failureOf(unread.error)} onRetry={() => void unread.refetch()} retrying={unread.isFetching} />}
      {why === null ? null : <PublicNote why={why} />}
      {kind === 'kill' ? (
        <Note title={tradeText.onlyKeys}>
          {tradeText.onlyKeysHelp}{' '}
          <Button size="xs" onClick={() => navigate('keys/revoke-all')}>
            {tradeText.revokeKeys}
          </Button>
        </Note>
      ) : null}
      {confirms ? (
        <ConfirmName
          title={kindTitle[kind]}
          effect={effectOf(kind, executor !== null)}
          name={bulkActionPhrases[kind]}
          confirmLabel={kindVerb[kind]}
          keepLabel={tradeText.leaveOpen}
          busy={start.isPending}
          failure={start.error === null ? null : failureOf(start.error)}
          onClose={() => setConfirms(false)}
          onConfirm={go}
        />
      ) : null}
    </>
  )
}

function effectOf(kind: BulkActionKind, byExecutor: boolean): string {
  const how = byExecutor ? tradeText.executorWithoutWallet : tradeText.walletAskedForEachStep
  switch (kind) {
    case 'cancel_all':
      return tradeText.cancelAllEffect(how)
    case 'close_all':
      return tradeText.closeAllEffect(how)
    case 'kill':
      return tradeText.killSwitchEffect(how)
  }
}

function What({ icon, title, children }: { readonly icon: IconName; readonly title: string; readonly children: React.ReactNode }) {
  return (
    <li>
      <span className={styles.bulkActionMark}>
        <Icon name={icon} />
      </span>
      <div className={textStyles.grow}>
        <b>{title}</b>
        <p>{children}</p>
      </div>
    </li>
  )
}
