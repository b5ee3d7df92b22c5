import type { ReactNode } from 'react'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { ScopeChips } from '../../../kit/chip.tsx'
import { CodeId } from '../../../kit/code-id.tsx'
import { cx } from '../../../kit/cx.ts'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import textStyles from '../../../kit/text.module.css'
import styles from './replace.module.css'

type Plan = Replacement['plan']

/** What a plan would take over, before there is one. */
export const planOf = (
  entry: KeySummary,
  /** null: the old one's with the next number. */
  label: string | null,
  days: number | null,
): Omit<Plan, 'expiresInDays' | 'label'> & { readonly label: string | null; readonly expiresInDays: number | null } => ({
  label,
  scopes: entry.scopes ?? [],
  expiresInDays: days,
  ipAllowlist: entry.allowlist ?? [],
  quotas: entry.quotas ?? [],
  executor: entry.executor,
  agent: entry.agent === null || entry.agent.granted === false ? 'none' : 'with_key',
})

const agentWords: Readonly<Record<Plan['agent'], ReactNode>> = {
  none: <span className={textStyles.muted}>None</span>,
  with_key: 'A new one, granted by you',
  after_key: 'A new one, granted by you',
}

/** What the new key gets: as the old one has it. */
export function ReplaceGets({ plan, newKey }: { readonly plan: ReturnType<typeof planOf>; readonly newKey: Replacement['newKey'] }) {
  return (
    <aside className={styles.replaceGets} aria-label="What the new key gets">
      <h3>The new key gets</h3>
      <Rows ruled>
        <Row name="Name">
          {newKey === null && plan.label === null ? (
            'The old one’s, next number'
          ) : (
            <b className={cx(textStyles.name, textStyles.cut)}>{newKey?.label ?? plan.label}</b>
          )}
        </Row>
        {newKey === null ? null : (
          <Row name="Id">
            <CodeId id={newKey.id} />
          </Row>
        )}
        <Row name="Scopes">
          <ScopeChips scopes={plan.scopes} />
        </Row>
        <Row name="Validity">
          {plan.expiresInDays === null ? 'The days that are left' : `${plan.expiresInDays} ${plan.expiresInDays === 1 ? 'day' : 'days'}`}
        </Row>
        <Row name="Allowlist">
          {plan.ipAllowlist.length === 0 ? (
            <span className={textStyles.warn}>Any address</span>
          ) : (
            <span className={styles.replaceIps}>
              {plan.ipAllowlist.map((range) => (
                <code key={range}>{range}</code>
              ))}
            </span>
          )}
        </Row>
        {plan.quotas.length === 0 ? (
          <Row name="Quotas">
            <span className={textStyles.muted}>The service’s own</span>
          </Row>
        ) : (
          plan.quotas.map(({ name, value }) => (
            <Row key={name} name={`Quota, ${name.replaceAll('_', ' ')}`}>
              {value}
            </Row>
          ))
        )}
        <Row name="Agent">{agentWords[plan.agent]}</Row>
        <Row name="Executor">{plan.executor === null ? <span className={textStyles.muted}>None</span> : <code>{plan.executor}</code>}</Row>
      </Rows>
    </aside>
  )
}
