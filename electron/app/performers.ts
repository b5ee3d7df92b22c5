import { performMapFile } from '../field-map/perform-map-file.ts'
import { performKeyText } from '../keys/perform-key-text.ts'
import { performFolderScan, performHistoryScan } from '../leaks/perform-scan.ts'
import type { Performer } from '../parsing/perform.ts'
import { performGitView } from '../secrets/perform-git-view.ts'
import { performPasted } from '../webhooks/perform-pasted.ts'

/** All that reads files and texts of others. For the parsing process alone. */
export const performers: readonly Performer[] = [performFolderScan, performHistoryScan, performGitView, performKeyText, performMapFile, performPasted]
