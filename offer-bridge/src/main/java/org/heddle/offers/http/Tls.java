// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.net.ssl.KeyManagerFactory;

/**
 * The key and certificate of a port.
 *
 * @param server context of the port
 * @param fingerprint SHA-256 of the certificate, in hex
 */
public record Tls(SslContext server, String fingerprint) {
    /**
     * Reads a PKCS12 key store that holds one key.
     *
     * @throws IOException one sentence with the file and what is wrong
     */
    public static Tls read(Path keyStore, Path passwordFile) throws IOException {
        char[] password;
        try {
            password = Files.readString(passwordFile).strip().toCharArray();
        } catch (IOException e) {
            throw new IOException("password file " + passwordFile + " cannot be read (" + e + ")", e);
        }
        byte[] content;
        try {
            content = Files.readAllBytes(keyStore);
        } catch (IOException e) {
            throw unusable(keyStore.toString(), e);
        }
        return read(new ByteArrayInputStream(content), keyStore.toString(), password);
    }

    /** @param place of the key store, for messages */
    static Tls read(InputStream in, String place, char[] password) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password);
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, password);
            String alias = store.aliases().nextElement();
            byte[] certificate = store.getCertificate(alias).getEncoded();
            String fingerprint = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate));
            return new Tls(
                    SslContextBuilder.forServer(keys)
                            .protocols("TLSv1.3", "TLSv1.2")
                            .build(),
                    fingerprint);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw unusable(place, e);
        }
    }

    private static IOException unusable(String place, Exception e) {
        return new IOException(
                "key store " + place + " cannot be used (" + e + "): want PKCS12 with one key, and its password", e);
    }
}
