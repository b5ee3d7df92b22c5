import { useEffect, useState } from 'react'
import type { Missing } from '../../../shared/ipc/missing.ts'
import type { HistoryRow, HistoryTable as TableName } from '../../../shared/ipc/reads/account-history.ts'
import { inputIssueText } from '../../../shared/text/input-issue-text.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Field, Input } from '../../kit/input.tsx'
import { useNavigate, usePlace } from '../../kit/layout/navigation.tsx'
import { Banner, Note } from '../../kit/layout/note.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Page } from '../../kit/layout/panel.tsx'
import { Empty } from '../../kit/layout/placeholders.tsx'
import { TabPanel, Tabs } from '../../kit/layout/tabs.tsx'
import { shorten } from '../../kit/number.tsx'
import { Menu } from '../../kit/overlay/menu.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { Time, useVisible } from '../../kit/time/time.tsx'
import { VisibleText } from '../../kit/visible-text.tsx'
import { keptFromKey, PublicNote, sourceWords } from '../../parts/account-source.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { usePositions } from '../../parts/market-data/use-positions.ts'
import { MoreFields } from '../../parts/more-fields.tsx'
import { useConnectedWallet } from '../../signing/wallet/wallet-provider.tsx'
import { accountText } from '../../text/en/account.en.tsx'
import { isWhole, listCount } from '../../text/page-cut-text.ts'
import styles from './account.module.css'
import { EquityPanel } from './equity-panel.tsx'
import { AlertsSheet, HealthPanel } from './health-panel.tsx'
import type { Span } from './history-filters.tsx'
import { HistoryTable } from './history-table.tsx'
import { BalancesTab, PositionsTab } from './positions-tab.tsx'
import { ReportsTab } from './reports-tab.tsx'
import { FindOrderSheet, RowSheet } from './row-sheet.tsx'

const tabs = [
  ['positions', accountText.positions],
  ['orders', accountText.orders],
  ['trades', accountText.trades],
  ['transactions', accountText.transactions],
  ['history', accountText.closedPositions],
  ['collateral', accountText.collateral],
  ['reports', accountText.reports],
] as const
type TabName = (typeof tabs)[number][0]

const rowTitles: Readonly<Record<TableName, string>> = {
  orders: accountText.order,
  trades: accountText.trade,
  transactions: accountText.transaction,
  history: accountText.closedPosition,
}
const isTable = (tab: TabName): tab is TableName => Object.hasOwn(rowTitles, tab)

/** Shows everything that the service reports about one account: its current state, its history and its totals. */
export function AccountPage() {
  const navigate = useNavigate()
  const { query } = usePlace()
  const visible = useVisible()
  const connected = useConnectedWallet()
  const [span, setSpan] = useState<Span>('30d')
  const [row, setRow] = useState<{ readonly table: TableName; readonly row: HistoryRow } | null>(null)
  const [sheet, setSheet] = useState<'watch' | 'alerts' | 'find' | null>(null)
  const wallets = useIpcQuery('account.watched', {})
  const unwatch = useIpcCommand('account.unwatch')
  const watched = wallets.data?.wallets.find(({ address }) => address.toLowerCase() === query.watch?.toLowerCase()) ?? null
  const watch = watched?.address ?? null
  const tab = tabs.find(([name]) => name === query.tab)?.[0] ?? 'positions'
  const there = connected !== null || watch !== null
  const every = visible ? 5 * second : false
  const asked = { enabled: there, every } as const
  const state = useIpcQuery('account.summary', { watch }, asked)
  const { read: readingPositions, positions } = usePositions(watch, asked)
  const balances = useIpcQuery('account.collateral', { watch }, { enabled: there && tab === 'collateral', every })
  const alerts = useIpcQuery('account.alerts', { watch }, { enabled: there })
  const markets = useIpcQuery('markets.list', {})
  const { refetch: readState } = state
  const { refetch: readPositions } = readingPositions
  useEffect(() => {
    if (watch === null && connected === null) return
    // Read the account again on every visit. The cached data may come from another source, for example one that needs no API key.
    void readState()
    void readPositions()
  }, [watch, connected, readState, readPositions])

  const go = (to: { readonly watch?: string | null; readonly tab?: TabName }) => {
    const next = { watch: to.watch === undefined ? watch : to.watch, tab: to.tab ?? tab }
    navigate(`account?tab=${next.tab}${next.watch === null ? '' : `&watch=${next.watch}`}`)
  }
  const picker = (
    <Menu
      label={accountText.accountShown}
      align="end"
      entries={[
        ...(connected === null
          ? []
          : [{ label: accountText.connectedWalletAt(shorten(connected.address)), checked: watch === null, onSelect: () => go({ watch: null }) }]),
        ...((wallets.data?.wallets.length ?? 0) === 0 ? [] : [{ type: 'heading' as const, label: accountText.watchOnly }]),
        ...(wallets.data?.wallets ?? []).map((one) => ({
          label: one.name,
          note: shorten(one.address),
          checked: one.address === watch,
          onSelect: () => go({ watch: one.address }),
        })),
        { type: 'separator' as const },
        { label: accountText.watchAnotherWallet, icon: 'eye' as const, onSelect: () => setSheet('watch') },
        ...(watched === null
          ? []
          : [
              {
                label: accountText.stopWatching(watched.name),
                icon: 'x' as const,
                onSelect: () => unwatch.mutate({ address: watched.address }, { onSuccess: () => go({ watch: null }) }),
              },
            ]),
      ]}
      trigger={(props) => (
        <Button icon={watched === null ? 'account' : 'eye'} {...props}>
          {watched === null ? (connected === null ? accountText.chooseAWallet : accountText.connectedWallet) : watched.name}
        </Button>
      )}
    />
  )
  const watchSheet =
    sheet === 'watch' ? (
      <WatchSheet
        onClose={() => setSheet(null)}
        onAdded={(address) => {
          setSheet(null)
          go({ watch: address })
        }}
      />
    ) : null

  if (!there)
    return (
      <Page title={accountText.account} end={picker}>
        <section className={panelStyles.panel}>
          <Empty
            icon="account"
            title={accountText.noWallet}
            actions={
              <>
                <Button variant="primary" icon="phone" onClick={() => navigate('connect')}>
                  {accountText.connectWallet}
                </Button>
                <Button icon="eye" onClick={() => setSheet('watch')}>
                  {accountText.watchAWallet}
                </Button>
              </>
            }
          >
            {accountText.noWalletHelp}
          </Empty>
        </section>
        {watchSheet}
      </Page>
    )

  const failure = state.error === null ? null : failureOf(state.error)
  const why = keptFromKey(state.data?.source)
  const view = { watch, watched }
  const fed = <T,>(
    query_: { readonly error: unknown; readonly refetch: () => unknown; readonly data: { readonly missing: Missing } | undefined },
    rows: readonly T[] | undefined,
  ) => ({
    rows,
    missing: query_.data?.missing,
    failure: query_.error === null ? null : failureOf(query_.error),
    retry: () => void query_.refetch(),
  })
  return (
    <Page
      title={accountText.account}
      className={styles.accountPage}
      note={
        state.data === undefined ? undefined : (
          <span className={failure === null ? undefined : textStyles.warn}>
            {(failure === null ? accountText.readFrom : accountText.staleReadFrom)(<Time ms={state.data.readAtMs} />, sourceWords(state.data.source))}
          </span>
        )
      }
      end={
        <>
          {picker}
          {watched === null ? (
            <>
              <Button icon="upload" onClick={() => navigate('trade/collateral/withdraw')}>
                {accountText.withdraw}
              </Button>
              <Button variant="primary" icon="download" onClick={() => navigate('trade/collateral/deposit')}>
                {accountText.depositCollateral}
              </Button>
            </>
          ) : null}
        </>
      }
    >
      {watched === null ? null : (
        <Banner icon="eye" title={accountText.watchOnlySource}>
          <VisibleText text={watched.name} /> <code>{watched.address}</code>
        </Banner>
      )}
      {why === null ? null : <PublicNote why={why} />}
      {failure === null ? null : <FailureNote failure={failure} onRetry={() => void state.refetch()} retrying={state.isFetching} />}
      <EquityPanel key={`equity ${watch}`} view={view} summary={state.data} span={span} onSpan={setSpan} />
      <HealthPanel summary={state.data} positions={positions} alerts={alerts.data} onAlerts={() => setSheet('alerts')} />
      <section className={cx(panelStyles.panel, styles.tables)} aria-label={accountText.accountTables}>
        <div className={styles.tablesHead}>
          <Tabs
            id="account"
            label={accountText.accountTables}
            value={tab}
            onChange={(name) => go({ tab: name })}
            tabs={tabs.map(([value, label]) => ({
              value,
              label,
              ...(value === 'positions' && positions !== undefined
                ? { count: listCount(positions.length, readingPositions.data === undefined || isWhole(readingPositions.data.missing)) }
                : {}),
            }))}
          />
          <MoreFields of={accountText.theAccount} fields={state.data?.unknownFields ?? null} className={styles.tablesMore} />
        </div>
        <TabPanel id="account" value={tab} className={styles.tablesBody}>
          {isTable(tab) ? (
            <HistoryTable
              key={`${tab} ${watch}`}
              view={view}
              table={tab}
              label={tabs.find(([name]) => name === tab)?.[1] ?? ''}
              markets={markets.data?.markets ?? []}
              onOpen={(opened) => setRow({ table: tab, row: opened })}
              onFind={watched === null && (tab === 'orders' || tab === 'transactions') ? () => setSheet('find') : undefined}
            />
          ) : tab === 'reports' ? (
            <ReportsTab key={`reports ${watch}`} view={view} span={span} onSpan={setSpan} />
          ) : tab === 'collateral' ? (
            <BalancesTab read={fed(balances, balances.data?.balances)} />
          ) : (
            <PositionsTab key={`positions ${watch}`} read={fed(readingPositions, positions)} markets={markets.data?.markets ?? []} watched={watched !== null} />
          )}
        </TabPanel>
      </section>
      {row === null ? null : <RowSheet row={row.row} title={rowTitles[row.table]} watched={watched !== null} onClose={() => setRow(null)} />}
      {sheet === 'find' ? <FindOrderSheet onClose={() => setSheet(null)} /> : null}
      {sheet === 'alerts' && alerts.data !== undefined ? <AlertsSheet watch={watch} alerts={alerts.data} onClose={() => setSheet(null)} /> : null}
      {watchSheet}
    </Page>
  )
}

/** Adds a watch-only wallet. */
function WatchSheet({ onClose, onAdded }: { readonly onClose: () => void; readonly onAdded: (address: string) => void }) {
  const [address, setAddress] = useState('')
  const [name, setName] = useState('')
  const add = useIpcCommand('account.watch')
  const failure = add.error === null ? null : failureOf(add.error)
  const issue = (field: string) => (failure?.kind === 'bad_input' && failure.field === field ? inputIssueText(failure.issue) : undefined)
  return (
    <Sheet title={accountText.watchAWallet} lead={accountText.watchLead} icon="eye" onClose={onClose} className={overlayStyles.narrow}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate({ address, name }, { onSuccess: (added) => onAdded(added.address) })
        }}
      >
        <div className={overlayStyles.sheetBody}>
          <Field id="watch-address" label={accountText.address} error={issue('address')}>
            <Input id="watch-address" mono value={address} onChange={setAddress} placeholder="0x" maxLength={60} invalid={issue('address') !== undefined} />
          </Field>
          <Field id="watch-name" label={accountText.name} error={issue('name')}>
            <Input id="watch-name" value={name} onChange={setName} placeholder={accountText.treasury} maxLength={60} invalid={issue('name') !== undefined} />
          </Field>
          <Note icon="globe">{accountText.watchHelp}</Note>
          {failure === null || failure.kind === 'bad_input' ? null : <FailureNote failure={failure} />}
        </div>
        <SheetFoot>
          <Button onClick={onClose}>{accountText.cancel}</Button>
          <Button variant="primary" type="submit" busy={add.isPending}>
            {accountText.watch}
          </Button>
        </SheetFoot>
      </form>
    </Sheet>
  )
}
