import { Panel } from '../../../kit/layout/panel.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { unknownRows } from '../../../parts/unknown-rows.ts'

/** The developer profile, as the service told it at the sign-in. Its fields are not shown in the document: they stand as they came. */
export function DeveloperPanel({ profile }: { readonly profile: string | null }) {
  const { rows, leftOut } = unknownRows(profile)
  if (rows.length === 0) return null
  return (
    <Panel title="Developer profile" count={leftOut === 0 ? 'told at the sign-in' : `told at the sign-in, ${leftOut} more fields left out`} padded>
      <dl className="rows k-profile">
        {rows.map(({ name, value }) => (
          <div key={name}>
            <dt>
              <VisibleText text={name} />
            </dt>
            <dd>
              <VisibleText text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
