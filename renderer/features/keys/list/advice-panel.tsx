import { Button } from '../../../kit/button.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Panel } from '../../../kit/layout/panel.tsx'
import type { Advice } from './worth-doing.ts'

/** What would make the keys safer or keep a bot running, each with the way to it. Draws nothing where there is nothing. */
export function AdvicePanel({ advice }: { readonly advice: readonly Advice[] }) {
  const navigate = useNavigate()
  if (advice.length === 0) return null
  return (
    <Panel title="Worth doing" count={advice.length}>
      <ul className="k-todo">
        {advice.map((one) => (
          <li key={one.id}>
            <Icon name={one.icon} />
            <p>
              <b className="name">{one.label}</b> {one.text}
            </p>
            <Button size="xs" onClick={() => navigate(one.to)}>
              {one.action}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
