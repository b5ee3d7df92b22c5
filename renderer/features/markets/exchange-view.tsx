import { formatCount } from '../../../shared/decimal.ts'
import type { Breaker, ConfigModel } from '../../../shared/ipc/reads/market-state.ts'
import { second } from '../../../shared/time.ts'
import { useIpcQuery } from '../../ipc/use-ipc.ts'
import { Link } from '../../kit/layout/navigation.tsx'
import { Panel, Row, Rows } from '../../kit/layout/panel.tsx'
import { Empty, Loading } from '../../kit/layout/placeholders.tsx'
import { State } from '../../kit/layout/state.tsx'
import { HeadCell, Table } from '../../kit/layout/table.tsx'
import textStyles from '../../kit/text.module.css'
import { Time } from '../../kit/time/time.tsx'
import { readableName, VisibleText } from '../../kit/visible-text.tsx'
import { MissingNote } from '../../parts/failure-note.tsx'
import { MoreFields, type UnknownTable, unknownTables } from '../../parts/more-fields.tsx'
import partsStyles from '../../parts/parts.module.css'
import { marketsText } from '../../text/en/markets.en.tsx'
import { isWhole } from '../../text/page-cut-text.ts'
import { stateLook } from '../../text/service-state.ts'
import styles from './markets.module.css'
import { missing, ReadAge, Unread } from './read-age.tsx'

const none = <span className={textStyles.muted}>—</span>

function Part({ name, word }: { readonly name: string; readonly word: string | null }) {
  const { tone, icon, words } = stateLook(word)
  return (
    <Row name={name}>
      {word === null ? (
        none
      ) : (
        <State tone={tone} icon={icon}>
          <VisibleText text={words} />
        </State>
      )}
    </Row>
  )
}

function StatusPanel() {
  const read = useIpcQuery('markets.status', {}, { every: 15 * second })
  const said = read.data
  return (
    <Panel
      title={marketsText.serviceNow}
      padded
      end={<ReadAge atMs={said?.readAtMs ?? null} source={said?.source ?? null} failed={read.error !== null} staleAfterMs={60 * second} />}
    >
      {missing(read) !== null ? (
        <Unread query={read} small />
      ) : said === undefined ? (
        <Loading label={marketsText.readingServiceState}>
          <div className={partsStyles.readWait} />
        </Loading>
      ) : (
        <>
          <Rows ruled>
            <Part name={marketsText.api} word={said.api} />
            <Part name={marketsText.network} word={said.network} />
            <Part name={marketsText.marketEngine} word={said.engine} />
            <Row name={marketsText.newestBlock}>{said.blockNumber === null ? none : formatCount(said.blockNumber)}</Row>
            <Row name={marketsText.reportedVersion}>
              {said.apiVersion === null && said.schema === null ? (
                <span className={textStyles.muted}>{marketsText.versionNeedsKey}</span>
              ) : (
                <State tone={said.drift ? 'warn' : 'ok'} icon={said.drift ? 'warn' : 'check'}>
                  <VisibleText text={[said.apiVersion, said.schema].filter((part) => part !== null).join(', ')} />
                </State>
              )}
            </Row>
          </Rows>
          <p className={styles.marketMore}>
            {marketsText.seeSettings((text) => (
              <Link to="settings/service">{text}</Link>
            ))}
          </p>
          <MoreFields of="/status" from="/status" fields={said.unknownFields} />
        </>
      )}
    </Panel>
  )
}

/** The least number of characters with which a value of the configuration may need to scroll. */
const scrollsFrom = 60

function BreakerRow({ breaker: { name, tripped, state, reason, sinceMs, seenAtMs } }: { readonly breaker: Breaker }) {
  return (
    <Row name={<VisibleText text={readableName(name)} />}>
      {tripped === true ? (
        <span className={styles.marketBreaker}>
          <State tone="danger" icon="stop">
            {marketsText.tripped}
          </State>
          {reason === null ? null : (
            <span>
              <VisibleText text={reason} />
            </span>
          )}
          <span className={textStyles.muted}>{(sinceMs === null ? marketsText.seenAt : marketsText.sinceTime)(<Time ms={sinceMs ?? seenAtMs} />)}</span>
        </span>
      ) : tripped === false ? (
        <State tone="ok" icon="check">
          {marketsText.notTripped}
        </State>
      ) : (
        <State tone="warn" icon="unknown">
          {state === null ? marketsText.unknown : <VisibleText text={state} />}
        </State>
      )}
    </Row>
  )
}

function BreakerPanel() {
  const read = useIpcQuery('markets.breakers', {}, { every: 15 * second })
  const breakers = read.data?.breakers
  const tripped = breakers?.filter((one) => one.tripped === true).length ?? 0
  // If the state of a circuit breaker is missing or unclear, the panel must not state that no breaker is tripped.
  const unsure = read.data === undefined || !isWhole(read.data.missing) || breakers?.some((one) => one.tripped === null) === true
  return (
    <Panel
      title={marketsText.circuitBreakers}
      count={
        breakers === undefined
          ? undefined
          : tripped === 0
            ? unsure
              ? marketsText.notAllKnown
              : marketsText.noneTripped
            : marketsText.ofTripped(tripped, breakers.length)
      }
      padded
      end={<ReadAge atMs={read.data?.readAtMs ?? null} source="public" failed={read.error !== null} staleAfterMs={60 * second} />}
    >
      <MissingNote missing={read.data?.missing} of="breaker" />
      {missing(read) !== null ? (
        <Unread query={read} small />
      ) : breakers === undefined ? (
        <Loading label={marketsText.readingTheCircuitBreakers}>
          <div className={partsStyles.readWait} />
        </Loading>
      ) : breakers.length === 0 ? (
        <Empty icon="shield" title={marketsText.noCircuitBreakers} level={3} />
      ) : (
        <Rows ruled>
          {breakers.map((breaker) => (
            <BreakerRow key={breaker.name} breaker={breaker} />
          ))}
        </Rows>
      )}
    </Panel>
  )
}

const modelWords: Readonly<Record<ConfigModel, string>> = {
  execution: marketsText.execution,
  order: marketsText.orders,
  fee: marketsText.fees,
  precision: marketsText.precision,
  collateral: marketsText.collateral,
  developer: marketsText.developerApi,
}

const contractWords: Readonly<Record<string, string>> = { router: marketsText.router, usdc: 'USDC', svc: marketsText.protocolToken }

/** Turns one of the service's names into words: `max_bps` becomes "Max bps". */
const worded = (name: string): string => name.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())

function ModelTable({ model, table: { name, columns, lines } }: { readonly model: string; readonly table: UnknownTable }) {
  return (
    <div className={styles.marketModelList}>
      <Table label={`${model}, ${name}`} dense>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column}>
                <VisibleText text={worded(column)} />
              </HeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((cells) => (
            <tr key={cells.join('\n')}>
              {cells.map((cell, index) => (
                <td key={columns[index]}>{cell === null ? none : <VisibleText text={cell} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function ConfigPanel() {
  const read = useIpcQuery('markets.config', {}, { every: 60 * second })
  const config = read.data
  return (
    <Panel
      title={marketsText.howItWorks}
      count={marketsText.asPublished}
      padded
      end={<ReadAge atMs={config?.readAtMs ?? null} source="public" failed={read.error !== null} staleAfterMs={180 * second} />}
    >
      {missing(read) !== null ? (
        <Unread query={read} small />
      ) : config === undefined ? (
        <Loading label={marketsText.readingTheConfiguration}>
          <div className={partsStyles.readWait} />
        </Loading>
      ) : (
        <>
          <div className={styles.marketModels}>
            {config.models.map(({ model, fields }) => {
              const { rows, tables, leftOut } = unknownTables(fields)
              return (
                <section key={model} aria-label={modelWords[model]}>
                  <h3>{modelWords[model]}</h3>
                  {rows.length === 0 && tables.length === 0 ? (
                    <p className={textStyles.muted}>{marketsText.notPublished}</p>
                  ) : (
                    <dl>
                      {rows.map(({ name, value }) => (
                        <div key={name}>
                          <dt>
                            <VisibleText text={name} />
                          </dt>
                          {/* A long value scrolls, and must be reachable by keyboard. */}
                          <dd {...(value.length > scrollsFrom ? { tabIndex: 0 } : {})}>
                            <VisibleText text={value} />
                          </dd>
                        </div>
                      ))}
                    </dl>
                  )}
                  {tables.map((table) => (
                    <ModelTable key={table.name} model={modelWords[model]} table={table} />
                  ))}
                  {leftOut === 0 ? null : <p className={textStyles.muted}>{marketsText.moreLeftOut(leftOut)}</p>}
                </section>
              )
            })}
            <section aria-label={marketsText.contracts}>
              <h3>{marketsText.contracts}</h3>
              <dl>
                <div>
                  <dt>{marketsText.chain}</dt>
                  <dd>{config.chainId ?? none}</dd>
                </div>
                {config.contracts.map(({ name, address }) => (
                  <div key={name}>
                    <dt>{contractWords[name] ?? name}</dt>
                    <dd>
                      <VisibleText text={address} />
                    </dd>
                  </div>
                ))}
                <div>
                  <dt>{marketsText.usdcByPermit}</dt>
                  <dd>{config.permit ? marketsText.yes : marketsText.no}</dd>
                </div>
              </dl>
            </section>
          </div>
          <MoreFields of={marketsText.theConfiguration} from={marketsText.theConfiguration} fields={config.unknownFields} />
        </>
      )}
    </Panel>
  )
}

/** Shows the exchange's state, its circuit breakers and the rules that it publishes. */
export const ExchangeView = () => (
  <>
    <div className={styles.marketTwo}>
      <StatusPanel />
      <BreakerPanel />
    </div>
    <ConfigPanel />
  </>
)
