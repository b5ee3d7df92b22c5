import { Keys } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { type BindingId, bindings, shownKeys } from '../../kit/key-bindings.ts'
import panelStyles from '../../kit/layout/panel.module.css'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { ScrollPart, Sheet } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { helpText } from '../../text/en/help.en.tsx'
import styles from '../frame.module.css'

export function ShortcutsSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Sheet title={helpText.shortcuts} lead={helpText.shortcutsLead} icon="terminal" onClose={onClose} closeOnScrim className={styles.shortcuts}>
      <ScrollPart className={overlayStyles.sheetBody}>
        {groups.map(({ where, title }) => (
          <section key={where} aria-label={title}>
            <h3>{title}</h3>
            <dl className={cx(panelStyles.rows, panelStyles.ruled)}>
              {ids
                .filter((id) => bindings[id].where === where)
                .map((id) => (
                  <div key={id} data-binding={id}>
                    <dt>{words[id]}</dt>
                    <dd>
                      <span className={textStyles.screenReaderOnly} translate="no">
                        {shownKeys(id)
                          .map((keys) => keys.join(' '))
                          .join(', ')}
                      </span>
                      {shownKeys(id).map((keys) => (
                        <Keys key={keys.join(' ')} keys={keys} />
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </ScrollPart>
    </Sheet>
  )
}

const groups: readonly { readonly where: (typeof bindings)[BindingId]['where']; readonly title: string }[] = [
  { where: 'everywhere', title: helpText.everywhere },
  { where: 'goTo', title: helpText.goTo },
  { where: 'actions', title: helpText.actions },
  { where: 'trade', title: helpText.trade },
  { where: 'ticket', title: helpText.ticket },
  { where: 'tables', title: helpText.tables },
  { where: 'chart', title: helpText.chart },
  { where: 'dates', title: helpText.dates },
  { where: 'lists', title: helpText.lists },
  { where: 'forms', title: helpText.forms },
]

const words: Readonly<Record<BindingId, string>> = {
  palette: helpText.keyPalette,
  shortcuts: helpText.keyShortcuts,
  help: helpText.keyHelp,
  escape: helpText.keyEscape,
  settings: helpText.keySettings,
  rail: helpText.keyRail,
  lock: helpText.keyLock,
  hideAmounts: helpText.keyHideAmounts,
  pauseBots: helpText.keyPauseBots,
  goOverview: helpText.keyGoOverview,
  goTrade: helpText.keyGoTrade,
  goAccount: helpText.keyGoAccount,
  goMarkets: helpText.keyGoMarkets,
  goKeys: helpText.keyGoKeys,
  goWebhooks: helpText.keyGoWebhooks,
  goActivity: helpText.keyGoActivity,
  goSettings: helpText.keyGoSettings,
  goHelp: helpText.keyGoHelp,
  goNotices: helpText.keyGoNotices,
  newKey: helpText.keyNewKey,
  signIn: helpText.keySignIn,
  searchHelp: helpText.keySearchHelp,
  chooseLong: helpText.keyChooseLong,
  chooseShort: helpText.keyChooseShort,
  typeValue: helpText.keyTypeValue,
  review: helpText.keyReview,
  cancelOrder: helpText.keyCancelOrder,
  cancelAll: helpText.keyCancelAll,
  closeQuarter: helpText.keyCloseQuarter,
  closeHalf: helpText.keyCloseHalf,
  closeWhole: helpText.keyCloseWhole,
  priceUp: helpText.keyPriceUp,
  priceDown: helpText.keyPriceDown,
  priceUpTen: helpText.keyPriceUpTen,
  priceDownTen: helpText.keyPriceDownTen,
  batchUp: helpText.keyBatchUp,
  batchDown: helpText.keyBatchDown,
  rowUp: helpText.keyRowUp,
  rowDown: helpText.keyRowDown,
  rowLeft: helpText.keyRowLeft,
  rowRight: helpText.keyRowRight,
  rowFirst: helpText.keyRowFirst,
  rowLast: helpText.keyRowLast,
  chartLeft: helpText.keyChartLeft,
  chartRight: helpText.keyChartRight,
  chartPageLeft: helpText.keyChartPageLeft,
  chartPageRight: helpText.keyChartPageRight,
  chartFirst: helpText.keyChartFirst,
  chartLast: helpText.keyChartLast,
  chartZoomIn: helpText.keyChartZoomIn,
  chartZoomOut: helpText.keyChartZoomOut,
  openCalendar: helpText.keyOpenCalendar,
  dayBefore: helpText.keyDayBefore,
  dayAfter: helpText.keyDayAfter,
  weekBefore: helpText.keyWeekBefore,
  weekAfter: helpText.keyWeekAfter,
  weekStart: helpText.keyWeekStart,
  weekEnd: helpText.keyWeekEnd,
  monthBefore: helpText.keyMonthBefore,
  monthAfter: helpText.keyMonthAfter,
  yearBefore: helpText.keyYearBefore,
  yearAfter: helpText.keyYearAfter,
  next: helpText.keyNext,
  previous: helpText.keyPrevious,
  first: helpText.keyFirst,
  last: helpText.keyLast,
  found: helpText.keyFound,
  foundBefore: helpText.keyFoundBefore,
  choose: helpText.keyChoose,
  leaveMenu: helpText.keyLeaveMenu,
  addAddress: helpText.keyAddAddress,
  editAddress: helpText.keyEditAddress,
}

const ids = Object.keys(words) as BindingId[] // The cast is safe: these are the keys of `words`.
