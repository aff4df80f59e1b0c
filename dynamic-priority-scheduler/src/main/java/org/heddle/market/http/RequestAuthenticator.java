// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.heddle.market.http.auth.UserRoles;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.Caller;
import org.heddle.market.security.Caller.How;
import org.heddle.market.security.RefusedException;
import org.heddle.market.security.RequestParts;
import org.heddle.market.security.RequestVerifier;
import org.heddle.settings.Clocks;

/**
 * Finds out who sends a request, by its head alone. Only callers who are known then may send a body: a signature covers
 * the digest of the body, so the holder of the key is known before the body comes.
 */
final class RequestAuthenticator {
    private final UserRoles roles;
    private final String csrfField;

    /**
     * The parts of a request that say who sends it.
     *
     * @param address of the client
     * @param user the caller's name from the web server's authentication; empty if there was none
     * @param changes whether it is a change
     * @param paper whether it is for the interface of 2009
     */
    record Head(RequestParts parts, boolean hasBody, String address, String user, boolean changes, boolean paper) {}

    /** The authenticated caller, and the marks to store with a change. */
    record Proof(Caller caller, String nonce, long createdSeconds, List<MarketRecord> marks) {}

    /** The rest of the proof, which depends on the body. */
    @FunctionalInterface
    private interface Rest {
        Proof prove(byte[] body) throws RefusedException;
    }

    /**
     * A caller who is known by the head of the request.
     *
     * @param name for the limits of what one caller may send
     * @param readsBody whether the body is of any use
     */
    record Claim(String name, boolean signed, boolean readsBody, Rest rest) {
        /** @param body empty if there is none */
        Proof prove(byte[] body) throws RefusedException {
            return rest.prove(body);
        }
    }

    /** @param csrfField header field that protects unsigned changes against pages of other sites */
    RequestAuthenticator(UserRoles roles, String csrfField) {
        this.roles = roles;
        this.csrfField = csrfField;
    }

    /** @throws RefusedException if the request must not be executed, whatever its body is */
    Claim claim(MarketServices open, Head head) throws RefusedException {
        return RequestVerifier.isSigned(head.parts()) ? signed(open, head) : unsigned(open, head);
    }

    private Claim signed(MarketServices open, Head head) throws RefusedException {
        RequestVerifier verifier = open.verifier();
        if (verifier == null) {
            throw RefusedException.unavailable("signatures cannot be checked, because the cluster has no master key;"
                    + " an administrator must set " + WebKeys.MASTER_KEY.name());
        }
        RequestVerifier.Admitted admitted =
                verifier.admit(head.parts(), head.hasBody(), head.address(), Clocks.SYSTEM.date(), System.nanoTime());
        return new Claim(admitted.key().owner(), true, true, body -> {
            RequestVerifier.Proof proven =
                    verifier.accept(admitted, body, head.changes(), Clocks.SYSTEM.date(), System.nanoTime());
            ApiKey key = proven.key();
            return new Proof(roles.of(key, open.market()), proven.nonce(), proven.createdSeconds(), proven.marks());
        });
    }

    private Claim unsigned(MarketServices open, Head head) throws RefusedException {
        RequestParts parts = head.parts();
        if (head.changes()) {
            if (parts.method().equals("GET")) {
                throw RefusedException.unauthenticated(
                        "not-signed", "a change by GET must be signed; sign it, or send it as POST");
            }
            if (parts.field(csrfField.toLowerCase(Locale.ROOT)) == null) {
                throw RefusedException.badRequest("an unsigned change needs the header field " + csrfField
                        + ", which protects against pages of other sites; add it with any value");
            }
        }
        Caller caller = roles.unsigned(head.user(), open.market());
        if (head.hasBody() && !head.paper() && caller.how() == How.NOTHING) {
            throw RefusedException.notSigned();
        }
        Proof proof = new Proof(caller, UUID.randomUUID().toString(), Clocks.SYSTEM.date() / 1_000, List.of());
        return new Claim(caller.name(), false, !head.paper(), body -> proof);
    }
}
