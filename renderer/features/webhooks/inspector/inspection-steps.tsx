import { Chip } from '../../../kit/chip.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon, type IconName } from '../../../kit/icons/icon.tsx'
import { Panel } from '../../../kit/layout/panel.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import textStyles from '../../../kit/text.module.css'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import { type Read, stepNames, stepWords, verdictOf } from './inspection-event.tsx'
import styles from './inspector.module.css'

const marks: Readonly<Record<Read['checks'][number]['result'], { readonly icon: IconName; readonly word: string }>> = {
  passed: { icon: 'check', word: webhooksText.stepPassed },
  failed: { icon: 'x', word: webhooksText.stepFailed },
  unknown: { icon: 'unknown', word: webhooksText.stepUnchecked },
}

export function InspectionSteps({ read }: { readonly read: Read }) {
  const { tone, icon, word, title, text } = verdictOf(read)
  const passed = read.checks.filter(({ result }) => result === 'passed').length
  return (
    <Panel
      title={webhooksText.checks}
      count={webhooksText.stepsRight(passed, read.checks.length)}
      end={
        <Chip tone={tone} icon={icon}>
          {word}
        </Chip>
      }
    >
      <div className={cx(styles.inspectorVerdict, styles[tone])} role="status">
        <b>{title}</b>
        <p>{text}</p>
      </div>
      <ol className={styles.inspectorList} aria-label={webhooksText.checkSteps}>
        {read.checks.map((check) => {
          const words = stepWords(read, check)
          const mark = marks[check.result]
          return (
            <li key={check.step} className={styles[check.result]}>
              <Icon name={mark.icon} size={14} />
              <div>
                <p>
                  <span className={textStyles.screenReaderOnly}>{mark.word} </span>
                  {stepNames[check.step]}
                </p>
                {words === null ? null : <p className={tableStyles.sub}>{words}</p>}
              </div>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
