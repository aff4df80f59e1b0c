// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.command;

import java.net.URI;
import org.heddle.settings.web.WebAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An option that takes the address of a web server: {@code http://rm1:8088} or {@code rm1:8088}. */
public final class AddressConverter implements ITypeConverter<URI> {
    @Override
    public URI convert(String text) {
        try {
            return WebAddress.of(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }
}
