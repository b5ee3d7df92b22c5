import { Icon } from '../../../kit/icons/icon.tsx'

/** What is allowed and rarely meant. */
export function TicketRemarks({ remarks }: { readonly remarks: readonly string[] }) {
  if (remarks.length === 0) return null
  return (
    <ul className="t-remarks" aria-label="Remarks">
      {remarks.map((remark) => (
        <li key={remark}>
          <Icon name="warn" size={14} />
          {remark}
        </li>
      ))}
    </ul>
  )
}
