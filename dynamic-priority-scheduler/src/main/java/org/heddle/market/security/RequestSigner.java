// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.greenbytes.http.sfv.ByteSequenceItem;
import org.greenbytes.http.sfv.Dictionary;
import org.greenbytes.http.sfv.InnerList;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.Parameters;
import org.greenbytes.http.sfv.StringItem;

/** Signs requests for {@link RequestVerifier}; the client's side. */
public final class RequestSigner {
    private static final String LABEL = "heddle";
    private static final int NONCE_BYTES = 18;

    private final String clusterId;
    private final String keyId;
    private final byte[] secret;
    private final SecureRandom random;

    public RequestSigner(String clusterId, String keyId, byte[] secret, SecureRandom random) {
        this.clusterId = clusterId;
        this.keyId = keyId;
        this.secret = secret.clone();
        this.random = random;
    }

    /**
     * The fields to add to a request.
     *
     * @param request with all other fields; its authority and scheme do not matter
     * @param nowSeconds seconds since 1970
     * @return fields with their values
     * @throws RefusedException if the request has a field that cannot be signed
     */
    public Map<String, String> sign(RequestParts request, long nowSeconds) throws RefusedException {
        Map<String, String> added = new LinkedHashMap<>();
        List<String> components = new ArrayList<>(List.of("@method", "@path", "@query"));
        added.put("Heddle-Cluster", clusterId);
        components.add(RequestVerifier.CLUSTER_FIELD);
        if (request.body().length > 0) {
            added.put("Content-Digest", ContentDigest.of(request.body()));
            components.add(ContentDigest.FIELD);
            components.add("content-type");
        }
        if (request.field(RequestVerifier.IDEMPOTENCY_FIELD) != null) {
            components.add(RequestVerifier.IDEMPOTENCY_FIELD);
        }
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("created", nowSeconds);
        parameters.put("nonce", MasterKeys.text(nonce));
        parameters.put("keyid", keyId);
        parameters.put("alg", RequestVerifier.ALGORITHM);
        parameters.put("tag", SignedInput.TAG);
        List<Item<?>> items = new ArrayList<>();
        components.forEach(name -> items.add(StringItem.valueOf(name)));
        InnerList covered = InnerList.valueOf(items).withParams(Parameters.valueOf(parameters));
        String base = SignatureBase.of(request.with(added), covered);
        byte[] signature = Hashes.hmacSha256(secret, base.getBytes(StandardCharsets.US_ASCII));
        added.put("Signature-Input", Dictionary.valueOf(Map.of(LABEL, covered)).serialize());
        added.put(
                "Signature",
                Dictionary.valueOf(Map.of(LABEL, ByteSequenceItem.valueOf(signature)))
                        .serialize());
        return added;
    }
}
