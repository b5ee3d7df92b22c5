import { Button, IconButton } from '../../../kit/button.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Input } from '../../../kit/input.tsx'
import { quotaIssue, type TypedQuota } from './quota.ts'

interface QuotaEditorProps {
  readonly quotas: readonly TypedQuota[]
  /** Names that the service gave to this wallet's other keys. */
  readonly known: readonly string[]
  readonly disabled: boolean
  readonly onChange: (quotas: readonly TypedQuota[]) => void
}

/** Limits of a key as name and number, sent as typed. Which names there are is the service's to say. */
export function QuotaEditor({ quotas, known, disabled, onChange }: QuotaEditorProps) {
  const edit = (index: number, change: Partial<TypedQuota>) => onChange(quotas.map((one, at) => (at === index ? { ...one, ...change } : one)))
  const unused = known.filter((name) => !quotas.some((one) => one.name.trim() === name))
  const add = (name: string) => onChange([...quotas, { name, value: '' }])
  return (
    <>
      {quotas.length === 0 ? null : (
        <ul className="quotas">
          {quotas.map((quota, index) => {
            const issue = quotaIssue(
              quota,
              quotas.filter((_, at) => at < index),
            )
            const id = `quota-${index}`
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity but its place while it is typed
              <li key={index}>
                <Input
                  id={`${id}-name`}
                  value={quota.name}
                  onChange={(name) => edit(index, { name })}
                  disabled={disabled}
                  mono
                  placeholder="name"
                  aria-label={`Name of limit ${index + 1}`}
                  invalid={issue !== null && quota.value !== ''}
                />
                <Input
                  id={id}
                  value={quota.value}
                  onChange={(value) => edit(index, { value })}
                  disabled={disabled}
                  numeric
                  placeholder="0"
                  aria-label={`Value of limit ${index + 1}`}
                  invalid={issue !== null && quota.value !== ''}
                />
                {disabled ? null : <IconButton icon="x" label={`Remove limit ${index + 1}`} onClick={() => onChange(quotas.filter((_, at) => at !== index))} />}
                {issue === null || (quota.value === '' && quota.name === '') ? null : (
                  <p className="help error" id={`${id}-help`} role="alert">
                    <Icon name="stop" />
                    <span>{issue}</span>
                  </p>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {disabled ? null : (
        <span className="k-acts">
          {unused.map((name) => (
            <Button key={name} size="sm" icon="plus" onClick={() => add(name)}>
              <code>{name}</code>
            </Button>
          ))}
          <Button size="sm" variant="ghost" icon="plus" onClick={() => add('')}>
            Add a limit
          </Button>
        </span>
      )}
    </>
  )
}
