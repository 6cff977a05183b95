import type { Dialect } from '../dialects/dialect.js'
import { HttpError } from './http-error.js'

/** An error as an answer, in the shape of the API that was asked. */
export function errorResponse(dialect: Dialect, error: HttpError): Response {
  // 499 means that the client is gone, so nobody reads this; but `Response` may not have it.
  const status = error.status === 499 ? 400 : error.status
  return Response.json(dialect.error(error), { status, headers: { ...error.headers } })
}

/** `allow`: the methods that the path accepts. */
export function methodNotAllowed(dialect: Dialect, allow: string): Response {
  const error = new HttpError(405, `This path accepts only ${allow}.`, {
    code: 'method_not_allowed',
    headers: { allow },
  })
  return errorResponse(dialect, error)
}
