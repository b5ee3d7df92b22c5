import { Switch } from '../kit/checkbox.tsx'
import { partsText } from '../text/en/parts.en.tsx'
import styles from './parts.module.css'

/** Shows or hides this app's own calls in an audit log. The app makes a call every few seconds, so its own rows would hide all others. */
export function OwnCallsSwitch({ shown, onChange }: { readonly shown: boolean; readonly onChange: (shown: boolean) => void }) {
  return (
    <div className={styles.ownCalls}>
      <Switch checked={shown} onChange={onChange}>
        {partsText.showOwnCalls}
      </Switch>
    </div>
  )
}
