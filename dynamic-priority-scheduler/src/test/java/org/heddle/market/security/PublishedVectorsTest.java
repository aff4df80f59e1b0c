// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Test;

/** The examples of RFC 9421, appendix B.2, on its test request. The signatures of other algorithms check our base. */
class PublishedVectorsTest {
    private static final String SHARED_SECRET =
            "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==";
    private static final String ED25519 = "MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=";
    private static final String RSA_PSS = """
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2
        +QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry53mm+
        oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHq
        gDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUAAN5W
        Utzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4
        aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oyc6XI
        2wIDAQAB
        """;

    private static final RequestParts REQUEST = new RequestParts(
            "POST",
            "https",
            "example.com",
            "/foo",
            "param=Value&Pet=dog",
            Map.of(
                    "Date", List.of("Tue, 20 Apr 2021 02:07:55 GMT"),
                    "Content-Type", List.of("application/json"),
                    "Content-Length", List.of("18"),
                    "Content-Digest",
                            List.of(
                                    "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:")),
            "{\"hello\": \"world\"}".getBytes(StandardCharsets.UTF_8));

    private static byte[] base(String covered) throws RefusedException {
        return SignatureBase.of(REQUEST, Parser.parseInnerList(covered)).getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void b25HmacSha256() throws Exception {
        byte[] base =
                base("(\"date\" \"@authority\" \"content-type\");created=1618884473;keyid=\"test-shared-secret\"");

        assertThat(new String(base, StandardCharsets.US_ASCII)).isEqualTo("""
            "date": Tue, 20 Apr 2021 02:07:55 GMT
            "@authority": example.com
            "content-type": application/json
            "@signature-params": ("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"\
            """);
        assertThat(Base64.getEncoder()
                        .encodeToString(Hashes.hmacSha256(Base64.getDecoder().decode(SHARED_SECRET), base)))
                .isEqualTo("pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=");
    }

    @Test
    void b26TheBaseIsTheOneThatWasSignedWithEd25519() throws Exception {
        Signature signature = Signature.getInstance("Ed25519");
        signature.initVerify(key("Ed25519", ED25519));
        signature.update(base("(\"date\" \"@method\" \"@path\" \"@authority\" \"content-type\" \"content-length\")"
                + ";created=1618884473;keyid=\"test-key-ed25519\""));

        assertThat(
                        signature.verify(
                                Base64.getDecoder()
                                        .decode(
                                                "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==")))
                .isTrue();
    }

    @Test
    void b23TheBaseIsTheOneThatWasSignedWithRsaPss() throws Exception {
        Signature signature = Signature.getInstance("RSASSA-PSS");
        signature.setParameter(new PSSParameterSpec("SHA-512", "MGF1", MGF1ParameterSpec.SHA512, 64, 1));
        signature.initVerify(key("RSA", RSA_PSS));
        signature.update(base("(\"date\" \"@method\" \"@path\" \"@query\" \"@authority\" \"content-type\""
                + " \"content-digest\" \"content-length\");created=1618884473;keyid=\"test-key-rsa-pss\""));

        assertThat(signature.verify(Base64.getDecoder()
                        .decode("bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683"
                                + "+qRpRRU5p2voTp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsL"
                                + "NmvKiLJH1pFkh/aYA2HXXZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9Bmzh"
                                + "uzF8Eim5f8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKE"
                                + "gM4cUA==")))
                .isTrue();
    }

    @Test
    void theRequestsContentDigestIsItsBodys() throws Exception {
        ContentDigest.check(Signing.field(REQUEST, "content-digest"), REQUEST.body());
        ContentDigest.check(ContentDigest.of(REQUEST.body()), REQUEST.body());
        assertThat(ContentDigest.of(REQUEST.body()))
                .isEqualTo("sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:");
    }

    private static PublicKey key(String algorithm, String base64) throws Exception {
        byte[] encoded = Base64.getMimeDecoder().decode(base64);
        return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(encoded));
    }
}
