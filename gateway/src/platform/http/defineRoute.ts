// One HTTP route: which right opens it, and the schemas of what goes in and what comes out. Knows nothing of sessions and error
// bodies: whoever registers a route brings a policy for both.

import type { RouteRule } from '@watchroom/shared/access'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { z } from 'zod'

import { Refusal } from './refusal.ts'
import { RequestFault, type RequestPart } from './requestFault.ts'

/** What `ANY` stands for; HEAD comes with GET. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Null on routes that ask for no session. */
export type CallerOf<Rule extends RouteRule, Caller> = Rule['access'] extends 'public'
  ? null
  : 'public' extends Rule['access']
    ? Caller | null
    : Caller

export interface RoutePolicy<Caller> {
  /**
   * Asked before a byte of the body is read, and again before the handler: the body may have taken a minute.
   *
   * @throws when the caller may not
   */
  readonly admit: (request: FastifyRequest, rule: RouteRule) => Promise<Caller | null> | Caller | null
  /** What is thrown for input that does not fit; without it the fault itself, for the error handler of the server. */
  readonly toError?: (fault: RequestFault) => Error
  /** Of every answer. */
  readonly headers?: Readonly<Record<string, string>>
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

export interface RouteCall<Caller, Params = undefined, Query = undefined, Body = undefined> {
  readonly caller: Caller
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** A handler that returns the reply has answered itself: with a redirect, for example. */
type Answer<Response> = Response extends z.ZodType ? z.input<Response> | FastifyReply : FastifyReply | void

export interface RouteDefinition<Rule, Caller, Params, Query, Body, Response> {
  readonly rule: Rule
  /** Parts without a schema are not read. */
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /**
   * What the schema does not name is not sent; what does not fit it is a bug and answered with 500. `empty` sends 204 without a
   * body. `own`: the handler sends a file, a stream or a page.
   */
  readonly response: Response
  /** 200, or 204 when the response is `empty`. */
  readonly status?: number
  readonly maxBodyBytes?: number
  readonly options?: RouteShorthandOptions
  readonly handle: (
    call: RouteCall<Caller, Parsed<Params>, Parsed<Query>, Parsed<Body>>,
  ) => Promise<Answer<Response>> | Answer<Response>
}

export interface Route<Rule extends RouteRule, Caller> {
  readonly rule: Rule
  readonly register: (app: FastifyInstance, policy: RoutePolicy<Caller>) => void
}

/** The routes of a capability: one for every rule that it declares, under the same name. */
export type RouteTable<Rules extends Readonly<Record<string, RouteRule>>, Caller> = {
  readonly [Name in keyof Rules]: Route<Rules[Name], Caller>
}

/** `defineRoute` for a program that knows its callers as `Caller`. */
export function createDefineRoute<Caller>() {
  return function defineRoute<
    Rule extends RouteRule,
    Response extends z.ZodType | 'empty' | 'own',
    Params extends z.ZodType | undefined = undefined,
    Query extends z.ZodType | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
  >(definition: RouteDefinition<Rule, CallerOf<Rule, Caller>, Params, Query, Body, Response>): Route<Rule, Caller> {
    const { rule, response, options, maxBodyBytes } = definition
    const status = definition.status ?? (response === 'empty' ? 204 : 200)

    const answer = async (request: FastifyRequest, reply: FastifyReply, policy: RoutePolicy<Caller>): Promise<void> => {
      const caller = await policy.admit(request, rule)
      if (caller === null && rule.access !== 'public') throw new Error(`${rule.path} was opened to nobody`)
      const given = await definition.handle({
        // Checked above, which the types cannot see.
        caller: caller as CallerOf<Rule, Caller>,
        params: parse<Params, Caller>('params', definition.params, request.params, policy),
        query: parse<Query, Caller>('query', definition.query, request.query, policy),
        body: parse<Body, Caller>('body', definition.body, request.body, policy),
        request,
        reply: reply.code(status).headers(policy.headers ?? {}),
      })
      if (given === reply || response === 'own') return
      void reply.send(response === 'empty' ? undefined : response.parse(given))
    }

    return {
      rule,
      register: (app, policy) => {
        app.route({
          ...options,
          ...(maxBodyBytes === undefined ? {} : { bodyLimit: maxBodyBytes }),
          method: rule.method === 'ANY' ? METHODS : rule.method,
          url: rule.path.replaceAll(/\{(\w+)\}/g, ':$1'),
          onRequest: async (request) => void (await policy.admit(request, rule)),
          // Returns nothing: a file that is missing is answered by another handler, and whoever waits for this one would wait for ever.
          handler: (request, reply) => {
            answer(request, reply, policy).catch((error: unknown) => sendFailure(reply, error))
          },
        })
      },
    }
  }
}

export function registerRoutes<Caller>(
  app: FastifyInstance,
  routes: Readonly<Record<string, Route<RouteRule, Caller>>>,
  policy: RoutePolicy<Caller>,
): void {
  for (const route of Object.values(routes)) route.register(app, policy)
}

function parse<Schema extends z.ZodType | undefined, Caller>(
  part: RequestPart,
  schema: Schema | undefined,
  value: unknown,
  policy: RoutePolicy<Caller>,
): Parsed<Schema> {
  const parsed = schema?.safeParse(value)
  if (parsed?.success === false) {
    const fault = new RequestFault(part, parsed.error)
    throw policy.toError?.(fault) ?? fault
  }
  // Undefined exactly where there is no schema, which is what `Parsed` says.
  return parsed?.data as Parsed<Schema>
}

function sendFailure(reply: FastifyReply, error: unknown): void {
  if (reply.sent) reply.log.error({ err: error }, 'failed after the answer was sent')
  else if (error instanceof Refusal) void reply.code(error.status).send(error.body)
  else void reply.send(error)
}
