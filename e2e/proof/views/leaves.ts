import { z } from 'zod'

/** The dotted paths of all values in a schema that are neither objects nor lists. Lists add nothing to a path. */
export function leavesOf(schema: z.ZodType, path = ''): string[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return leavesOf(schema.unwrap() as z.ZodType, path) // safe cast: all schemas here are zod’s classic schemas
  if (schema instanceof z.ZodPipe) return leavesOf(schema.in as z.ZodType, path)
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => leavesOf(field, path === '' ? name : `${path}.${name}`))
  if (schema instanceof z.ZodArray) return leavesOf(schema.element as z.ZodType, path)
  if (schema instanceof z.ZodUnion) {
    // Expands a union of objects, unless a `kind` field distinguishes the objects. A union with `kind` counts as one value, because a failure’s
    // fields are not data of the service.
    const options = schema.options as readonly z.ZodType[]
    return options.every((option) => option instanceof z.ZodObject) && !options.some((option) => 'kind' in (option as z.ZodObject).shape)
      ? [...new Set(options.flatMap((option) => leavesOf(option, path)))]
      : [path]
  }
  return [path]
}
