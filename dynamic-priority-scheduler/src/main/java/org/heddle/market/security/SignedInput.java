// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.greenbytes.http.sfv.Dictionary;
import org.greenbytes.http.sfv.InnerList;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import org.jspecify.annotations.Nullable;

/**
 * The one signature of a request with the market's tag, from Signature-Input and Signature.
 *
 * @param covered the covered components with the signature's parameters
 * @param signature its bytes
 */
record SignedInput(InnerList covered, byte[] signature) {
    static final String INPUT_FIELD = "signature-input";
    static final String SIGNATURE_FIELD = "signature";
    /** The purpose of the signature (RFC 9421 2.3), so that a signature for another application is refused. */
    static final String TAG = "heddle-market";

    private static final Set<String> PARAMETERS = Set.of("created", "expires", "nonce", "alg", "keyid", "tag");

    /**
     * Finds the signature.
     *
     * @throws RefusedException (400) if the fields are invalid, (401) if there is not exactly one such signature
     */
    static SignedInput find(RequestParts request) throws RefusedException {
        Map<String, ListElement<?>> inputs = dictionary(request, INPUT_FIELD, "Signature-Input");
        Map<String, ListElement<?>> signatures = dictionary(request, SIGNATURE_FIELD, "Signature");
        if (!inputs.keySet().equals(signatures.keySet())) {
            throw RefusedException.badRequest("the fields Signature-Input and Signature do not have the same labels");
        }
        SignedInput found = null;
        for (Map.Entry<String, ListElement<?>> input : inputs.entrySet()) {
            if (!(input.getValue() instanceof InnerList covered)) {
                throw RefusedException.badRequest("the Signature-Input field is not a list of covered components");
            }
            Item<?> tag = covered.getParams().get("tag");
            if (!(tag instanceof StringItem text) || !TAG.equals(text.get())) {
                continue;
            }
            if (found != null) {
                throw RefusedException.badRequest("the request has two signatures with the tag " + TAG + "; send one");
            }
            ListElement<?> signature = signatures.get(input.getKey());
            if (signature == null || !(signature.get() instanceof ByteBuffer bytes)) {
                throw RefusedException.badRequest(
                        "the Signature field has no bytes for the label '" + input.getKey() + "'");
            }
            found = new SignedInput(covered, ContentDigest.bytes(bytes));
        }
        if (found == null) {
            throw RefusedException.unauthenticated(
                    "not-signed-for-us", "no signature of the request has the parameter tag=\"" + TAG + "\"");
        }
        for (String parameter : found.covered.getParams().keySet()) {
            if (!PARAMETERS.contains(parameter)) {
                throw RefusedException.badRequest(
                        "the signature has an unknown parameter; use created," + " expires, nonce, alg, keyid and tag");
            }
        }
        return found;
    }

    private static Map<String, ListElement<?>> dictionary(RequestParts request, String field, String shown)
            throws RefusedException {
        String text = request.field(field);
        if (text == null) {
            throw RefusedException.unauthenticated("not-signed", "the request has no " + shown + " field");
        }
        try {
            Dictionary parsed = Parser.parseDictionary(text);
            return parsed.get();
        } catch (ParseException e) {
            throw RefusedException.badRequest("the " + shown + " field is not a structured field (RFC 8941)");
        }
    }

    /** Names of the covered components. */
    Set<String> components() throws RefusedException {
        Set<String> names = new HashSet<>();
        for (Item<?> component : covered.get()) {
            names.add(SignatureBase.name(component));
        }
        return names;
    }

    /** A string parameter; null if it is missing. */
    @Nullable
    String text(String parameter) throws RefusedException {
        Item<?> item = covered.getParams().get(parameter);
        if (item == null) {
            return null;
        }
        if (item instanceof StringItem text) {
            return text.get();
        }
        throw RefusedException.badRequest("the signature's parameter " + parameter + " must be a quoted string");
    }

    /** A time parameter in seconds since 1970; null if it is missing. */
    @Nullable
    Long seconds(String parameter) throws RefusedException {
        Item<?> item = covered.getParams().get(parameter);
        if (item == null) {
            return null;
        }
        if (item instanceof IntegerItem seconds) {
            return seconds.get();
        }
        throw RefusedException.badRequest(
                "the signature's parameter " + parameter + " must be a whole number of seconds");
    }
}
