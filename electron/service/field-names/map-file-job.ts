import { z } from 'zod'
import { Failure, MapIssue } from '../../../shared/ipc/failure.ts'
import { MapEntry } from '../../../shared/ipc/host/field-map.ts'
import { second } from '../../../shared/time.ts'
import { job, resultOf } from '../../kernel/parsing/job.ts'

/** Reads a field-map file. Returns its entries, or its problems by line. Fails with `file` if the file cannot be read. */
export const mapFileJob = job<{ readonly path: string }>()({
  name: 'map file',
  gives: resultOf(resultOf(z.array(MapEntry), z.array(MapIssue)), Failure),
  quietMs: 10 * second,
})
