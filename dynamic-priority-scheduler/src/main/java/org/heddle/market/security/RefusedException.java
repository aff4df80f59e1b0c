// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

/** A refused request. The caller reads its message, so it contains no secrets. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The reason with its HTTP status. */
    public enum Kind {
        BAD_REQUEST(400),
        UNAUTHENTICATED(401),
        FORBIDDEN(403),
        NOT_FOUND(404),
        METHOD_NOT_ALLOWED(405),
        REQUEST_TIMEOUT(408),
        CONFLICT(409),
        TOO_LARGE(413),
        TOO_MANY_REQUESTS(429),
        /** An internal error. */
        INTERNAL(500),
        UNAVAILABLE(503);

        private final int status;

        Kind(int status) {
            this.status = status;
        }

        public int status() {
            return status;
        }
    }

    private final Kind kind;
    private final String code;
    private final long retryAfterMillis;

    private RefusedException(Kind kind, String code, String sentence, long retryAfterMillis) {
        super(sentence, null, false, false);
        this.kind = kind;
        this.code = code;
        this.retryAfterMillis = retryAfterMillis;
    }

    /** @param code a stable word for programs, for example {@code replayed} */
    public static RefusedException of(Kind kind, String code, String sentence) {
        return new RefusedException(kind, code, sentence, 0);
    }

    public static RefusedException badRequest(String sentence) {
        return of(Kind.BAD_REQUEST, "bad-request", sentence);
    }

    public static RefusedException unauthenticated(String code, String sentence) {
        return of(Kind.UNAUTHENTICATED, code, sentence);
    }

    /** A request of an unknown caller for something that is not public. */
    public static RefusedException notSigned() {
        return unauthenticated("not-signed", "this needs a signed request (RFC 9421): give heddle market a --key-file");
    }

    public static RefusedException forbidden(String sentence) {
        return of(Kind.FORBIDDEN, "forbidden", sentence);
    }

    public static RefusedException notFound(String sentence) {
        return of(Kind.NOT_FOUND, "not-found", sentence);
    }

    public static RefusedException conflict(String sentence) {
        return of(Kind.CONFLICT, "conflict", sentence);
    }

    public static RefusedException tooMany(String sentence, long retryAfterMillis) {
        return new RefusedException(Kind.TOO_MANY_REQUESTS, "too-many-requests", sentence, retryAfterMillis);
    }

    public static RefusedException unavailable(String sentence) {
        return new RefusedException(Kind.UNAVAILABLE, "unavailable", sentence, 5_000);
    }

    public Kind kind() {
        return kind;
    }

    public String code() {
        return code;
    }

    /** Time until a retry may succeed; 0 if waiting does not help. */
    public long retryAfterMillis() {
        return retryAfterMillis;
    }

    /** The sentence. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
